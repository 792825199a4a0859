import { expect, test } from 'vitest'

import type { AccountCodec } from '../../src/contract/codec.ts'
import { type AccountLack, accountLacks, featuresOf } from '../../src/generate/account-lacks.ts'
import { type Feature, lackOf } from '../../src/generate/unsupported.ts'
import {
  featureRequests,
  requestWith,
  type SampleRequest,
} from '../../src/testing/contracts/codec-requests.ts'
import { codecFor } from '../../src/translate/losses.ts'
import { codecs, type Name, names } from './samples/index.ts'

/** The codec of an account that lacks something. */
function lacking(name: Name, lack: AccountLack): AccountCodec {
  const candidate = { account: { lacks: [lack] }, dialect: { upstream: { providers: {} } } }
  return codecFor(candidate as never, codecs[name])
}

const traits = { outputLimitField: 'max_tokens', asksForUsage: true } as const

function sent(codec: AccountCodec, sample: SampleRequest): unknown {
  return codec.encodeRequest(requestWith(sample), 'm', () => {}, traits)
}

/** The features of a word that the codec writes: an effort, a budget too. */
function lackedBy(name: Name, lack: AccountLack): Feature[] {
  const { supports } = codecs[name]
  const features = [...featuresOf([lack])].filter((feature) => supports.includes(feature))
  const isEffort = lack === 'reasoning_effort' && features.length > 0
  return isEffort && !supports.includes('reasoning_budget')
    ? [...features, 'reasoning_budget']
    : features
}

const { system_midway: midway } = featureRequests

const cases = names.flatMap((name) =>
  accountLacks.flatMap((lack) => lackedBy(name, lack).map((feature) => ({ name, lack, feature }))),
)

test.each(cases)('$name: without $lack no account gets $feature', ({ name, lack, feature }) => {
  const codec = lacking(name, lack)
  const treatment = lackOf(codec, feature)?.treatment
  expect(treatment).toBeDefined()
  // The call goes to other accounts, or the gateway fetches the file.
  if (treatment === 'native') return
  const [question, answer, system, last] = midway.with.turns ?? []
  const moved = { turns: [system!, question!, answer!, last!] }
  const { with: request, without = feature === 'system_midway' ? moved : {} } =
    featureRequests[feature]
  expect(sent(codec, request)).toEqual(sent(codec, without))
})
