//! Hashes that tie a proof or a test to its sources.

use sha2::{Digest, Sha256};
use std::path::Path;

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256_of_bytes(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of a file's contents, in hexadecimal.
pub fn sha256_of_file(path: &Path) -> std::io::Result<String> {
    Ok(sha256_of_bytes(&std::fs::read(path)?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_standard_example() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(super::sha256_of_bytes(b"abc"), abc);
    }
}
