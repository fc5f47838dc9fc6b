//! A search: what all tasks share, the task at work, and the callers that wait for it.
//!
//! This is what an [`Algorithm`](crate::algorithm::Algorithm) works on. The tasks are a stack
//! whose top is a field of its own, so that it and the core can be borrowed apart.

use crate::core::Core;
use crate::task::Task;

/// The core and a stack of tasks.
pub(crate) struct Search<'p> {
    /// What all tasks share.
    pub core: Core<'p>,
    /// The task at work,
    pub task: Task,
    /// and the callers that wait for its answer, the program's own first.
    pub waiting: Vec<Task>,
}

impl<'p> Search<'p> {
    /// Begins a task, for which the present one waits.
    pub(crate) fn enter(&mut self, task: Task) {
        let caller = std::mem::replace(&mut self.task, task);
        self.waiting.push(caller);
        self.task.context.focus = None;
    }

    /// Ends the present task: its caller goes on. None where nobody waits.
    pub(crate) fn leave(&mut self) -> Option<Task> {
        let caller = self.waiting.pop()?;
        let ended = std::mem::replace(&mut self.task, caller);
        self.task.context.focus = None;
        Some(ended)
    }

    /// Does something for every task, the program's own first and the present one last, each
    /// with its caller.
    pub(crate) fn for_each_task(
        &mut self,
        mut work: impl FnMut(&mut Core<'p>, &mut Task, Option<&mut Task>),
    ) {
        let mut caller: Option<&mut Task> = None;
        for task in self.waiting.iter_mut().chain([&mut self.task]) {
            work(&mut self.core, task, caller);
            caller = Some(task);
        }
    }
}
