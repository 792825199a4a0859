import { certificatesIn, subjectOf } from '../../configuration/certificates.ts'
import type { Account, AccountConnection } from '../../contract/account.ts'
import type { AccountTimeouts } from '../../contract/limits.ts'
import { computedOnce } from '../../lib/computed-once.ts'

/** A certificate as operators see it. */
export interface CertificateView {
  /** Its common name, or all of its subject. */
  readonly subject: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** How requests are sent to an account, without a secret. */
export interface TransportView {
  /** The names of its headers. */
  readonly headers: readonly string[]
  readonly timeouts: AccountTimeouts
  readonly maxConcurrent?: number
  /** Host and port of its proxy; `none`: calls use no proxy. Absent: the environment decides. */
  readonly proxy?: string
  readonly authorities: readonly CertificateView[]
  readonly clientCertificate?: CertificateView
}

/** How requests are sent to an account. */
export function transportOf(account: Account): TransportView {
  const { headers = {}, timeouts = {}, maxConcurrent, connection } = account
  return {
    headers: Object.keys(headers),
    timeouts,
    ...(maxConcurrent !== undefined && { maxConcurrent }),
    ...(connection ? viewOf(connection) : { authorities: [] }),
  }
}

type ConnectionView = Pick<TransportView, 'proxy' | 'authorities' | 'clientCertificate'>

/** To read a certificate takes a while, and operators ask often. */
const viewOf = computedOnce(({ proxy, ca, certificate }: AccountConnection): ConnectionView => {
  const [own] = viewsOf(certificate?.cert)
  return {
    ...(proxy !== undefined && { proxy: proxy === false ? 'none' : new URL(proxy).host }),
    authorities: viewsOf(ca),
    ...(own && { clientCertificate: own }),
  }
})

function viewsOf(pem: string | undefined): CertificateView[] {
  const found = certificatesIn(pem ?? '')
  if (!('certificates' in found)) return []
  return found.certificates.map((certificate) => ({
    subject: subjectOf(certificate),
    expiresAt: certificate.validToDate.getTime(),
  }))
}
