"""Tool-info module of attest for BenchExec.

Put it on Python's path and name it in a benchmark definition, or try it with
    python3 -m benchexec.test_tool_info contrib.attest
"""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """attest: proofs from tests, for C."""

    REQUIRED_PATHS = ["attest", "attest-checker"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("attest")

    def name(self):
        return "attest"

    def project_url(self):
        return "https://github.com/attest-verify/attest"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="attest ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *task.input_files_or_identifier, *options]
        if task.property_file and "--property" not in options:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and "--data-model" not in options:
            model = task.options.get("data_model")
            if model:
                command += ["--data-model", model.lower()]
        if rlimits.walltime and "--time-limit" not in options:
            command += ["--time-limit", str(rlimits.walltime)]
        elif rlimits.cputime and "--time-limit" not in options:
            command += ["--time-limit", str(rlimits.cputime)]
        return command

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        for line in reversed(run.output):
            if line.startswith("verdict: safe"):
                return result.RESULT_TRUE_PROP
            if line.startswith("verdict: unsafe"):
                return result.RESULT_FALSE_REACH
            if line.startswith("verdict: unknown"):
                reason = line[len("verdict: unknown") :].strip().strip("()")
                if "time" in reason and "used up" in reason:
                    return result.RESULT_TIMEOUT
                return f"{result.RESULT_UNKNOWN}({reason})" if reason else result.RESULT_UNKNOWN
        known = {1: "usage", 2: "input", 6: "internal"}
        code = run.exit_code.value if run.exit_code else None
        return f"{result.RESULT_ERROR}({known.get(code, code)})"

    def get_value_from_output(self, output, identifier):
        for line in output:
            if line.strip().startswith(identifier):
                return line.strip()[len(identifier) :].strip()
        return None
