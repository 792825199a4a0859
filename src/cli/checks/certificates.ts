import { certificatesIn, expiryOf, subjectOf } from '../../configuration/certificates.ts'
import type { CommandConfiguration } from '../command-configuration.ts'

/** Certificates of accounts that are not valid at a time, in milliseconds since 1970. One line each. */
export function expiredCertificates(
  { settings, accountPaths }: Pick<CommandConfiguration, 'settings' | 'accountPaths'>,
  now: number,
): string[] {
  return settings.accounts.flatMap(({ ca, clientCertificate }, index) => {
    const path = accountPaths[index] ?? 'accounts'
    return [
      ...expired(clientCertificate?.cert, now).map(
        (why) => `${path}.clientCertificate.cert: ${why}; renew it and reload`,
      ),
      ...expired(ca, now).map((why) => `${path}.ca: ${why}; replace it and reload`),
    ]
  })
}

function expired(pem: string | undefined, now: number): string[] {
  const read = certificatesIn(pem ?? '')
  if (!('certificates' in read)) return []
  return read.certificates.flatMap((certificate) => {
    const why = expiryOf(certificate, now)
    return why === undefined ? [] : [`the certificate of "${subjectOf(certificate)}" ${why}`]
  })
}
