/** Digits without a sign or an exponent. */
const plain = /^(\d{1,15})(?:\.(\d{1,30}))?$/

/**
 * A decimal number, or its text, as a whole number of its smallest parts: `parseDecimal('2.5', 3)` is 2500n.
 * `undefined` for other values, and for those with more decimals than `places`. A number has the digits that a
 * user writes for it, so that 0.1 is a tenth.
 */
export function parseDecimal(value: unknown, places: number): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const match = plain.exec(String(value))
  if (!match) return undefined
  const [, whole = '', decimals = ''] = match
  if (!/^0*$/.test(decimals.slice(places))) return undefined
  return BigInt(whole + decimals.slice(0, places).padEnd(places, '0'))
}
