const cents = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** USD, of a decimal text as the API has it: `$12.34`, `$0.0042` under a cent, `$0` for nothing. */
export function money(amount: string | number): string {
  const value = Number(amount)
  if (!Number.isFinite(value)) return String(amount)
  if (value === 0) return '$0'
  const size = Math.abs(value)
  if (size >= 0.00995) return cents.format(value)
  const places = Math.min(9, 1 - Math.floor(Math.log10(size)))
  const text = size.toFixed(places).replace(/0+$/, '')
  return `${value < 0 ? '-' : ''}$${text}`
}

const exact = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 9,
})

/** A price in USD, to its last digit: `$15.00`, `$0.075`. */
export function priceOf(amount: string | number): string {
  return exact.format(Number(amount))
}
