import type { Candidate } from '../contract/candidate.ts'
import type { AccountLack } from '../generate/account-lacks.ts'

/** What an account lacks: as its configuration says, or else as its provider's accounts of the dialect do. */
export function lacksOf({
  account: { lacks, provider },
  dialect: { upstream },
}: Pick<Candidate, 'account' | 'dialect'>): readonly AccountLack[] {
  return lacks ?? upstream.providers[provider]?.lacks ?? []
}
