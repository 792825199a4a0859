import type { Ended } from '../contract/exchange.ts'

/** Texts that look like keys: of providers, clouds and forges, tokens of the web, and private keys. */
const secrets =
  /\b(?:sk|pk|rk)[-_][\w-]{12,}|\bAIza[\w-]{20,}|\b(?:AKIA|ASIA)[A-Z\d]{12,}|\b(?:gh[pousr]|github_pat)_\w{16,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{8,}|\bya29\.[\w-]{16,}|\bhf_\w{16,}|\beyJ[\w-]{8,400}\.[\w-]{4,}(?:\.[\w-]*)?|\bdg[a-z]?_[\w-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/** A credential in a header, in the words of a URL, or as an assignment. */
const named =
  /\b(bearer\s+|basic\s+|(?:api[-_]?key|access[-_]?key|password|passwd|secret|token)["']?\s*[:=]\s*["']?)[^\s"'&,;]{8,}/gi

/** A password in a URL. */
const inUrl = /:\/\/[^\s/:@]+:[^\s/@]+@/g

const hidden = '[secret]'

/** Removes a key as it is, and as a string of JSON has it. */
function withoutKey(text: string, key: string): string {
  return text.replaceAll(key, hidden).replaceAll(JSON.stringify(key).slice(1, -1), hidden)
}

/** Replaces texts that look like secrets, and the keys of the caller and of the accounts that were asked. */
export function hideSecrets(
  text: string,
  exchange: Pick<Ended, 'progress'> & Partial<Pick<Ended, 'credential'>>,
): string {
  const { credential, progress } = exchange
  const accounts = [...progress.former, progress.attempt].map((one) => one?.candidate.account)
  const keys = accounts.flatMap((account) => [account?.credential, ...(account?.secrets ?? [])])
  let clean = text
  for (const one of new Set([credential, ...keys])) if (one) clean = withoutKey(clean, one)
  return clean
    .replace(secrets, hidden)
    .replace(named, (_, before: string) => `${before}${hidden}`)
    .replace(inUrl, `://${hidden}@`)
}
