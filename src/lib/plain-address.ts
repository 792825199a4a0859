/** An address without the prefix that IPv4 has on a socket of IPv6, and without its zone. */
export function plain(address: string): string {
  if (!address.includes(':')) return address
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}
