import type { Ended } from '../../../contract/exchange.ts'

/** What looks like a key: of providers, clouds and forges, tokens of the web, and private keys. */
const secrets =
  /\b(?:sk|pk|rk)[-_][\w-]{12,}|\bAIza[\w-]{20,}|\b(?:AKIA|ASIA)[A-Z\d]{12,}|\b(?:gh[pousr]|github_pat)_\w{16,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{8,}|\bya29\.[\w-]{16,}|\bhf_\w{16,}|\beyJ[\w-]{8,400}\.[\w-]{4,}(?:\.[\w-]*)?|\bdg[a-z]?_[\w-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/** A credential in a header, in the words of a URL, or as an assignment. */
const named =
  /\b(bearer\s+|basic\s+|(?:api[-_]?key|access[-_]?key|password|passwd|secret|token)["']?\s*[:=]\s*["']?)[^\s"'&,;]{8,}/gi

/** A password in a URL. */
const inUrl = /:\/\/[^\s/:@]+:[^\s/@]+@/g

const hidden = '[secret]'

/** Replaces what looks like a secret, and the keys of the caller and of the account. */
export function hideSecrets(
  text: string,
  exchange: Pick<Ended, 'credential' | 'progress'>,
): string {
  const { credential, progress } = exchange
  const { credential: key, secrets: others = [] } = progress.attempt?.candidate.account ?? {}
  let clean = text
  for (const one of [credential, key, ...others]) if (one) clean = clean.replaceAll(one, hidden)
  return clean
    .replace(secrets, hidden)
    .replace(named, (_, before: string) => `${before}${hidden}`)
    .replace(inUrl, `://${hidden}@`)
}
