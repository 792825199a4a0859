import { X509Certificate } from 'node:crypto'

import type { Problem } from '../contract/problems.ts'

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** The certificates in a PEM text, or the reason why it has no readable one. Repeats nothing of the text. */
export function certificatesIn(
  pem: string,
): { readonly certificates: readonly X509Certificate[] } | Omit<Problem, 'path'> {
  const blocks = pem.match(block) ?? []
  if (blocks.length === 0) {
    return {
      message: 'has no certificate in PEM',
      fix: 'use text that begins with -----BEGIN CERTIFICATE-----',
    }
  }
  const certificates: X509Certificate[] = []
  for (const [index, text] of blocks.entries()) {
    try {
      certificates.push(new X509Certificate(text))
    } catch {
      return {
        message: `cannot be read: its certificate ${index + 1} is damaged`,
        fix: 'copy the whole file again',
      }
    }
  }
  return { certificates }
}

/** Whether a certificate is valid at a time, in milliseconds since 1970, in words if it is not. */
export function expiryOf(certificate: X509Certificate, now: number): string | undefined {
  const { validFromDate, validToDate } = certificate
  if (validToDate.getTime() < now) return `has expired on ${validToDate.toISOString()}`
  if (validFromDate.getTime() > now) return `is valid from ${validFromDate.toISOString()} on`
  return undefined
}

/** The common name of a certificate, or its whole subject. */
export function subjectOf({ subject }: X509Certificate): string {
  // One attribute in a line.
  return (/^CN=(.+)$/m.exec(subject)?.[1] ?? subject.split('\n').join(', ')).slice(0, 200)
}
