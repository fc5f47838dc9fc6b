//! Random numbers for tests and for made-up inputs: SplitMix64.
//!
//! Seeded and the same on every machine, so that what it leads to can be had again.

/// What one number is away from the next before they are mixed.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator; its number is the seed.
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

/// The bits of a number mixed, so that numbers that are alike have nothing in common.
pub fn mix(number: u64) -> u64 {
    let z = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers that the published generator gives for this seed.
    #[test]
    fn it_is_splitmix() {
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
