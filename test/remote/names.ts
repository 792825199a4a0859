import type { DnsLookup } from '../../src/remote/dial.ts'

/** A resolver that answers one question after the other, and the last answer from then on. */
export function resolving(...answers: readonly (readonly string[])[]): {
  readonly asked: readonly string[]
  readonly lookup: DnsLookup
} {
  const asked: string[] = []
  return {
    asked,
    lookup(hostname, _, callback) {
      const addresses = answers[Math.min(asked.push(hostname), answers.length) - 1] ?? []
      if (addresses.length === 0) {
        callback(Object.assign(new Error(`getaddrinfo ${hostname}`), { code: 'ENOTFOUND' }), [])
        return
      }
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    },
  }
}
