//! Reinterprets bytes of a file as numbers, without copying.
//!
//! Invariant: only types for which every bit pattern is valid, and only aligned bytes; anything else panics before a
//! number is read.

mod sealed {
    pub trait Sealed {}
}

/// A type of which every pattern of bits is a value, without gaps.
pub(crate) trait Plain: sealed::Sealed + Copy {}

macro_rules! plain {
    ($($number:ty),*) => {
        $(impl sealed::Sealed for $number {}
        impl Plain for $number {})*
    };
}
plain!(i8, u64, f32);

/// `bytes` as numbers. Panics when they are not whole numbers, or do not begin where one may.
pub(crate) fn numbers<T: Plain>(bytes: &[u8]) -> &[T] {
    // SAFETY: every pattern of bits is a value of the type, by its trait, which is sealed.
    let (before, numbers, after) = unsafe { bytes.align_to::<T>() };
    assert!(before.is_empty() && after.is_empty(), "whole numbers at a place for them");
    numbers
}

/// `numbers` as they lie in memory.
pub(crate) fn bytes<T: Plain>(numbers: &[T]) -> &[u8] {
    // SAFETY: the type has no gaps, by its trait, so each of its bytes has a value.
    let (before, bytes, after) = unsafe { numbers.align_to::<u8>() };
    assert!(before.is_empty() && after.is_empty(), "a byte may lie anywhere");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_bytes_and_numbers_again() {
        let values = [1.5f32, -0.0, f32::MAX];
        assert_eq!(numbers::<f32>(bytes(&values)), values);
        assert_eq!(bytes(&[1.5f32])[..], 1.5f32.to_ne_bytes());
        assert_eq!(numbers::<i8>(&[255, 1]), [-1, 1]);
    }

    #[test]
    #[should_panic(expected = "whole numbers")]
    fn half_a_number_is_refused() {
        numbers::<f32>(&bytes(&[1.0f32, 2.0])[..6]);
    }

    #[test]
    #[should_panic(expected = "whole numbers")]
    fn a_number_where_none_may_begin_is_refused() {
        numbers::<u64>(&bytes(&[1u64, 2, 3])[1..17]);
    }
}
