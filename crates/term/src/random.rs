//! Random numbers for tests and random inputs: SplitMix64.
//!
//! The sequence depends on the seed alone, so every run can be repeated on any machine.

/// The difference of successive counters, before they are mixed.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator; the field is the current counter, at first the seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 random bits.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }
}

/// Mixes the bits of a number, so that similar numbers give unrelated results.
pub fn mix(number: u64) -> u64 {
    let z = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published generator's first numbers for this seed.
    #[test]
    fn the_sequence_is_splitmix() {
        let mut random = Random(1234567);
        let first = [(); 3].map(|()| random.roll());
        let published = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
        ];
        assert_eq!(first, published);
    }
}
