//! The arithmetic of a small transformer between its matrix products: each loop runs over slices.
//!
//! GELU and softmax need erf and exp in every element, so both are polynomials here, exact to what f32
//! keeps. Sums run in [`LANES`] parts that are added in a fixed order. Invariant: no function reads or
//! writes outside its slices, and each gives the same bits on every processor.

use crate::kernel::kernel;

/// How many sums run side by side.
const LANES: usize = 16;

kernel! {
    /// Adds `bias` to each row of `values`. Panics when the rows are not whole.
    add_bias(values: &mut [f32], bias: &[f32]) {
        assert_eq!(values.len() % bias.len(), 0, "whole rows");
        for row in values.chunks_exact_mut(bias.len()) {
            for (value, bias) in row.iter_mut().zip(bias) {
                *value += bias;
            }
        }
    }
}

kernel! {
    /// Adds `bias` to each row of `values` and replaces each `x` by `x · Φ(x)`, Φ the distribution
    /// function of the normal law: the GELU of Hendrycks and Gimpel, by erf and not by tanh. Its
    /// error is below 1e-6 · max(1, |x|). Panics when the rows are not whole.
    gelu(values: &mut [f32], bias: &[f32]) {
        assert_eq!(values.len() % bias.len(), 0, "whole rows");
        for row in values.chunks_exact_mut(bias.len()) {
            for (value, bias) in row.iter_mut().zip(bias) {
                let x = *value + bias;
                *value = 0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2));
            }
        }
    }
}

kernel! {
    /// Turns each row of `values`, `columns` wide, into weights that add up to 1: `exp(x)` over the
    /// sum of them. Panics when the rows are not whole.
    softmax(values: &mut [f32], columns: usize) {
        assert!(columns > 0 && values.len().is_multiple_of(columns), "whole rows");
        for row in values.chunks_exact_mut(columns) {
            let greatest = greatest(row);
            for value in row.iter_mut() {
                *value = exp(*value - greatest);
            }
            let share = 1.0 / sum(row);
            for value in row.iter_mut() {
                *value *= share;
            }
        }
    }
}

kernel! {
    /// Adds `more` and `bias` to each row of `values`, then gives the row mean 0 and variance 1, then
    /// `scale` and `shift`: a residual and its layer normalisation. `epsilon` is added to the variance.
    /// Panics when the lengths differ or the rows are not whole.
    add_and_normalise(
        values: &mut [f32], more: &[f32], bias: &[f32], scale: &[f32], shift: &[f32], epsilon: f32
    ) {
        let columns = bias.len();
        assert_eq!(values.len(), more.len(), "as much to add");
        assert_eq!(values.len() % columns, 0, "whole rows");
        assert!(scale.len() == columns && shift.len() == columns, "a scale and a shift for each column");
        for (row, more) in values.chunks_exact_mut(columns).zip(more.chunks_exact(columns)) {
            for ((value, more), bias) in row.iter_mut().zip(more).zip(bias) {
                *value += more + bias;
            }
            let mean = sum(row) / columns as f32;
            for value in row.iter_mut() {
                *value -= mean;
            }
            let share = 1.0 / (squares(row) / columns as f32 + epsilon).sqrt();
            for ((value, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                *value = *value * share * scale + shift;
            }
        }
    }
}

#[inline(always)]
fn sum(values: &[f32]) -> f32 {
    let chunks = values.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().sum();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

#[inline(always)]
fn squares(values: &[f32]) -> f32 {
    let chunks = values.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().map(|value| value * value).sum();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value * value;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

#[inline(always)]
fn greatest(values: &[f32]) -> f32 {
    let larger = |one: f32, other: f32| if other > one { other } else { one };
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder().iter().copied().fold(f32::NEG_INFINITY, larger);
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, *value);
        }
    }
    lanes.into_iter().fold(rest, larger)
}

/// `e` to the power of `x` for `x` ≤ 0, within 3e-7 of it; what is below the least normal number is
/// taken for that. The power is split into a whole power of 2, set into the exponent, and a rest
/// within ± ln 2 / 2, for which six terms of the series are exact enough.
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// Added and taken away again, it leaves the nearest whole number: there are no bits for more.
    const ROUNDING: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = if x < -87.0 { -87.0 } else { x };
    let whole = x * std::f32::consts::LOG2_E + ROUNDING;
    // The low bits of `whole` are the power itself, beside those of `ROUNDING`.
    let power = whole.to_bits().wrapping_sub(ROUNDING.to_bits());
    let whole = whole - ROUNDING;
    let rest = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let mut series = 1.0 / 720.0;
    for term in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = series * rest + term;
    }
    f32::from_bits(series.to_bits().wrapping_add(power << 23))
}

/// The error function within 4e-7: `x · P(x²) / Q(x²)`, fitted to the least greatest error on [0, 4],
/// beyond which it is 1 in f32.
#[inline(always)]
fn erf(x: f32) -> f32 {
    const OVER: [f32; 6] =
        [1.986_795_3e-6, 2.845_648_6e-4, 3.883_287_1e-3, 5.310_157e-2, 1.935_437e-1, 1.128_379_1];
    const UNDER: [f32; 6] =
        [3.742_025_7e-5, 1.185_557_9e-3, 1.520_713_6e-2, 1.153_494_4e-1, 5.048_562e-1, 1.0];
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let (mut over, mut under) = (0.0, 0.0);
    for (above, below) in OVER.iter().zip(UNDER) {
        over = over * square + above;
        under = under * square + below;
    }
    x * over / under
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// erf in f64 by its series, summed until nothing changes; alternating, so it is taken to |x| ≤ 4.5.
    fn true_erf(x: f64) -> f64 {
        let (mut term, mut total, mut n) = (x, x, 0.0);
        while term.abs() > 1e-18 {
            n += 1.0;
            term *= -x * x / n;
            total += term / (2.0 * n + 1.0);
        }
        total * std::f64::consts::FRAC_2_SQRT_PI
    }

    #[test]
    fn gelu_is_within_a_millionth_everywhere() {
        let xs: Vec<f32> = (-60_000..=60_000).map(|n| n as f32 / 10_000.0).collect();
        let mut got = xs.clone();
        gelu(&mut got, &vec![0.0; xs.len()]);
        for (x, got) in xs.iter().map(|&x| f64::from(x)).zip(got) {
            let wanted = 0.5 * x * (1.0 + true_erf(x * std::f64::consts::FRAC_1_SQRT_2));
            assert!((f64::from(got) - wanted).abs() <= 1e-6 * x.abs().max(1.0), "{x}: {got}, not {wanted}");
        }
    }

    #[test]
    fn exp_is_within_its_bound_down_to_the_least_normal_number() {
        for n in 0..=870_000 {
            let x = -(n as f32) / 10_000.0;
            let (got, wanted) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((got / wanted - 1.0).abs() < 3e-7, "{x}: {got}, not {wanted}");
        }
        assert!(exp(-1e30) < 2e-38);
    }

    proptest! {
        #[test]
        fn weights_add_up_to_one_however_wide_the_row(row in prop::collection::vec(-30.0f32..30.0, 1..80)) {
            let mut weights = row.clone();
            let columns = weights.len();
            softmax(&mut weights, columns);
            prop_assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let top = row.iter().cloned().fold(f32::MIN, f32::max);
            let total: f64 = row.iter().map(|x| f64::from(x - top).exp()).sum();
            for (x, weight) in row.iter().zip(&weights) {
                let wanted = f64::from(x - top).exp() / total;
                prop_assert!((f64::from(*weight) - wanted).abs() < 1e-6);
            }
        }

        #[test]
        fn a_normalised_row_has_mean_0_and_variance_1(row in prop::collection::vec(-9.0f32..9.0, 2..80)) {
            let columns = row.len();
            let mut values = row.clone();
            values[0] += 20.0;
            let (none, one) = (vec![0.0; columns], vec![1.0; columns]);
            add_and_normalise(&mut values, &none, &none, &one, &none, 1e-12);
            let mean = values.iter().sum::<f32>() / columns as f32;
            let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / columns as f32;
            prop_assert!(mean.abs() < 1e-4 && (variance - 1.0).abs() < 1e-3, "{mean} {variance}");
        }
    }

    proptest! {
        #[test]
        fn with_and_without_wide_registers_the_bits_are_the_same(
            row in prop::collection::vec(-20.0f32..20.0, 1..200),
            more in prop::collection::vec(-1.0f32..1.0, 200),
        ) {
            let (columns, more) = (row.len(), &more[..row.len()]);
            let both = |wide: &dyn Fn(&mut [f32]), plain: &dyn Fn(&mut [f32])| {
                let (mut one, mut other) = (row.clone(), row.clone());
                wide(&mut one);
                plain(&mut other);
                let bits = |values: Vec<f32>| values.into_iter().map(f32::to_bits).collect::<Vec<_>>();
                assert_eq!(bits(one), bits(other));
            };
            both(&|row| add_bias(row, more), &|row| add_bias::plain(row, more));
            both(&|row| gelu(row, more), &|row| gelu::plain(row, more));
            both(&|row| softmax(row, columns), &|row| softmax::plain(row, columns));
            both(
                &|row| add_and_normalise(row, more, more, more, more, 1e-12),
                &|row| add_and_normalise::plain(row, more, more, more, more, 1e-12),
            );
        }
    }

    #[test]
    fn a_residual_and_a_bias_are_added_before() {
        let mut values = [1.0, 0.0, 5.0, 2.0];
        add_and_normalise(&mut values, &[1.0, 2.0, 0.0, 0.0], &[0.0, 2.0], &[3.0, 3.0], &[1.0, 1.0], 0.0);
        // Rows become (2, 4) and (5, 4): each is one step below and above its mean.
        assert_eq!(values, [-2.0, 4.0, 4.0, -2.0]);
        let mut values = [1.0, 2.0, 3.0, 4.0];
        add_bias(&mut values, &[10.0, 20.0]);
        assert_eq!(values, [11.0, 22.0, 13.0, 24.0]);
    }
}
