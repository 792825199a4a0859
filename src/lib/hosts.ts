/** Whether a host, also in brackets as in a URL, is a loopback address, which other machines cannot reach. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|::1|\[::1\]|127(?:\.\d{1,3}){3})$/.test(host)
}

/** A host as it stands before a port: an address of IPv6 in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
