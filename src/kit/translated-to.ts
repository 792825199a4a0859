import type { Ended } from '../contract/exchange.ts'

/** The dialect of the last request to an account, if it differs from the client's dialect. */
export function translatedTo({
  candidate,
  progress,
}: Pick<Ended, 'candidate' | 'progress'>): string | undefined {
  // The last candidate may have been declined: then an earlier attempt sent the last request.
  const { account } = progress.attempt?.candidate ?? {}
  if (!candidate || candidate.native || candidate.account !== account) return undefined
  return candidate.dialect.id
}
