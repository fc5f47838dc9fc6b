#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    attest_fuzz::slic(text);
});
