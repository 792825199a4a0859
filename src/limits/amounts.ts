/** Nano-dollars as USD in a decimal text without superfluous zeros: `1500000000` is `1.5`. */
export function showDollars(nano: number): string {
  const [whole, parts] = [Math.floor(nano / 1e9), nano % 1e9]
  if (parts === 0) return String(whole)
  const decimals = String(parts).padStart(9, '0')
  let end = decimals.length
  while (decimals[end - 1] === '0') end--
  return `${whole}.${decimals.slice(0, end)}`
}
