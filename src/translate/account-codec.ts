import type { GenerateCodec } from '../contract/codec.ts'
import type { Account } from '../contract/account.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { Dialect } from '../contract/dialect.ts'
import { reasoningField } from '../generate/fields.ts'
import { type AccountLack, featuresOf, withoutLacks } from '../generate/account-lacks.ts'
import { usualTreatment } from '../generate/unsupported.ts'

/** What an account lacks: as its configuration says, or else as its provider's accounts of the dialect do. */
function lacksOf(
  { lacks, provider }: Account,
  { upstream }: Pick<Dialect, 'upstream'>,
): readonly AccountLack[] {
  return lacks ?? upstream?.providers[provider]?.lacks ?? []
}

/** The codec of the candidate's dialect for the account, which may lack features that the dialect has. */
export function codecFor({ account, dialect }: Candidate, codec: GenerateCodec): GenerateCodec {
  const lacks = lacksOf(account, dialect)
  if (lacks.length === 0) return codec
  const lacked = [...featuresOf(lacks)].filter((feature) => codec.supports.includes(feature))
  const entries = lacked.map((feature) => {
    const reason = `the account does not support it${substitutes[feature] ?? ''}`
    return [feature, { treatment: usualTreatment(feature), reason }]
  })
  return {
    ...codec,
    supports: codec.supports.filter((feature) => !lacked.includes(feature)),
    lacks: { ...codec.lacks, ...Object.fromEntries(entries) },
    encodeRequest(request, model, drop, traits) {
      if (request.reasoning && lacks.includes('reasoning')) {
        const field = reasoningField(request)
        if (request.settings?.reasoning === field) drop(field, 'the account does not support it')
      }
      return codec.encodeRequest(withoutLacks(request, lacks), model, drop, {
        ...(traits ?? account),
        lacks,
      })
    },
  }
}

/** What the gateway sends in place of a feature. */
const substitutes: Readonly<Partial<Record<string, string>>> = {
  system_midway: '; system texts are moved to the beginning',
  temperature_above_1: '; it is lowered to 1',
}
