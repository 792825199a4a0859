/** Whole nano-dollars from 0 as US dollars in decimals, without superfluous zeros: `1500000000` is `1.5`. */
export function formatUsd(nano: number | bigint): string {
  const digits = String(BigInt(nano)).padStart(10, '0')
  let end = digits.length
  while (end > digits.length - 9 && digits[end - 1] === '0') end--
  const whole = digits.slice(0, -9)
  const decimals = digits.slice(whole.length, end)
  return decimals === '' ? whole : `${whole}.${decimals}`
}
