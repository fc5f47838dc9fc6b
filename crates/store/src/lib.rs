//! What earlier runs learnt of a program, kept in a folder (algorithm notes 5.8).
//!
//! A record belongs to a program as it was named on the command line. It has
//! tests, summaries of functions, and the last proof. A summary carries the
//! hash of its function's code, so that a change of a function invalidates what
//! depends on it and nothing more. Nothing in a record is trusted: tests are
//! run, and summaries and proofs are checked, before they are used. So a
//! record that is damaged, old or of another program costs time at most.
//!
//! A record is one file, written to a temporary file and then moved to its place, so
//! that runs at the same time and runs that are killed leave whole records.

mod record;
mod summaries;

pub use record::{FORMAT, KnownProof, Record, StoredTest};
pub use summaries::{KnownSummary, function_hash, program_hash, still_known};

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folder's usual name.
pub const FOLDER: &str = ".attest";

/// Records that are kept; the oldest go first.
const MOST_RECORDS: usize = 400;
/// A larger record is not read.
const LARGEST: u64 = 256 << 20;

/// A folder of records.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What `attest cache` prints about a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// What is in it, or what is wrong with it.
    pub record: Result<Contents, String>,
}

/// How much is in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// The program, as it was named.
    pub subject: String,
    /// Tests.
    pub tests: usize,
    /// Summaries.
    pub summaries: usize,
    /// Whether there is a proof.
    pub proof: bool,
}

impl Store {
    /// The store in a folder, which need not exist yet.
    pub fn at(folder: impl Into<PathBuf>) -> Store {
        Store {
            folder: folder.into(),
        }
    }

    /// The record of a program, if there is one that can be read.
    pub fn load(&self, subject: &str) -> Option<Record> {
        let record = read(&self.path(subject)).ok()?;
        (record.subject == subject).then_some(record)
    }

    /// Stores a record in place of the one before.
    pub fn save(&self, record: &Record) -> io::Result<()> {
        self.write_file(&self.path(&record.subject), &record.to_json())?;
        self.drop_oldest();
        Ok(())
    }

    /// Stores a file of another kind in the folder and returns its path. It is no record, so
    /// it stays when records are cleared: proofs and tests may name it.
    pub fn keep(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.folder.join(name);
        if fs::read_to_string(&path).ok().as_deref() != Some(text) {
            self.write_file(&path, text)?;
        }
        Ok(path)
    }

    /// Writes a file of the folder atomically.
    fn write_file(&self, path: &Path, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let ignored = self.folder.join(".gitignore");
        if !ignored.exists() {
            fs::write(ignored, "*\n")?;
        }
        let mut file = tempfile::Builder::new()
            .prefix("new-")
            .suffix(".tmp")
            .tempfile_in(&self.folder)?;
        file.write_all(text.as_bytes())?;
        file.flush()?;
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    }

    /// All records, by their files' names.
    pub fn list(&self) -> io::Result<Vec<Listed>> {
        let mut all = Vec::new();
        for path in self.files()? {
            let size = fs::metadata(&path).map_or(0, |m| m.len());
            let record = read(&path).map(|record| Contents {
                tests: record.tests.len(),
                summaries: record.summaries.len(),
                proof: record.proof.is_some(),
                subject: record.subject,
            });
            all.push(Listed { path, size, record });
        }
        all.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(all)
    }

    /// Removes all records, and the folder if nothing else is in it; how many there were.
    pub fn clear(&self) -> io::Result<usize> {
        let files = self.files()?;
        for file in &files {
            fs::remove_file(file)?;
        }
        for entry in self.entries()? {
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            let left_over = name.starts_with("new-") && name.ends_with(".tmp");
            if left_over || name == ".gitignore" {
                fs::remove_file(&entry)?;
            }
        }
        // Files that are not attest's stay.
        let _ = fs::remove_dir(&self.folder);
        Ok(files.len())
    }

    fn path(&self, subject: &str) -> PathBuf {
        let hash = attest_proof::sha256_of_bytes(subject.as_bytes());
        self.folder.join(format!("{}.json", &hash[..32]))
    }

    fn entries(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(e),
        };
        entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect()
    }

    fn files(&self) -> io::Result<Vec<PathBuf>> {
        let is_record = |path: &PathBuf| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let hashed = stem.len() == 32 && stem.bytes().all(|b| b.is_ascii_hexdigit());
            hashed && path.extension().is_some_and(|e| e == "json")
        };
        Ok(self.entries()?.into_iter().filter(is_record).collect())
    }

    fn drop_oldest(&self) {
        let Ok(files) = self.files() else { return };
        if files.len() <= MOST_RECORDS {
            return;
        }
        let age = |path: &PathBuf| {
            let written = fs::metadata(path).and_then(|m| m.modified());
            written.unwrap_or(SystemTime::UNIX_EPOCH)
        };
        let mut aged: Vec<(SystemTime, PathBuf)> =
            files.into_iter().map(|path| (age(&path), path)).collect();
        aged.sort();
        for (_, path) in &aged[..aged.len() - MOST_RECORDS] {
            // Another run may have removed it.
            let _ = fs::remove_file(path);
        }
    }
}

fn read(path: &Path) -> Result<Record, String> {
    let size = fs::metadata(path).map_err(|e| e.to_string())?.len();
    if size > LARGEST {
        return Err("it is too large".into());
    }
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    Record::parse(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(subject: &str) -> Record {
        Record {
            subject: subject.into(),
            ..Record::default()
        }
    }

    #[test]
    fn records_are_kept_listed_and_cleared() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("store"));
        assert_eq!(store.load("a"), None);
        assert_eq!(store.list().expect("it lists"), Vec::new());
        store.save(&record("a")).expect("it is saved");
        store.save(&record("b")).expect("it is saved");
        assert_eq!(store.load("a"), Some(record("a")));
        assert_eq!(store.list().expect("it lists").len(), 2);
        fs::write(folder.path().join("store/mine"), "").expect("a file");
        assert_eq!(store.clear().expect("it clears"), 2);
        assert_eq!(store.load("a"), None);
        assert!(folder.path().join("store/mine").exists());
    }

    #[test]
    fn damaged_and_foreign_records_are_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path());
        store.save(&record("a")).expect("it is saved");
        fs::copy(store.path("a"), store.path("b")).expect("a copy");
        assert_eq!(store.load("b"), None, "it is about another program");
        let text = fs::read_to_string(store.path("a")).expect("it reads");
        for end in [0, 1, text.len() / 2, text.len() - 3] {
            fs::write(store.path("a"), &text[..end]).expect("it is cut");
            assert_eq!(store.load("a"), None, "cut at {end}");
        }
        fs::write(store.path("a"), [0xff, 0xfe, 0]).expect("no text");
        assert_eq!(store.load("a"), None);
        let listed = store.list().expect("it lists");
        assert!(listed.iter().any(|one| one.record.is_err()));
    }

    #[test]
    fn writers_at_the_same_time_leave_whole_records() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path());
        std::thread::scope(|scope| {
            for n in 0..4 {
                let store = &store;
                scope.spawn(move || {
                    for round in 0..25 {
                        let mut one = record("a");
                        one.tests = vec![StoredTest::default(); 100 * (n + round)];
                        store.save(&one).expect("it is saved");
                        assert!(store.load("a").is_some());
                    }
                });
            }
        });
        assert_eq!(store.entries().expect("it lists").len(), 2);
    }
}
