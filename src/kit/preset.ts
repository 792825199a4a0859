import type { Adaptation, BodyChanges } from '../contract/adaptation.ts'
import type { MakeCredential, Provider, ProviderPreset } from '../contract/provider.ts'
import type { AccountLack } from '../generate/account-lacks.ts'
import { type Preset, checkPresetRow } from './preset-row.ts'
import { headerCredential } from './token-credential.ts'

/** What most servers with an API like OpenAI's lack. */
const commonLacks: readonly AccountLack[] = [
  'cache_key',
  'safety_identifier',
  'service_tier',
  'store',
  'strict_tools',
  'system_midway',
]

/** Only OpenAI has this role. */
const roles = { developer: 'system' }

/**
 * Makes a provider of a preset. The key is a bearer token in each dialect, unless `credential` says otherwise. Throws
 * `TypeError` for a member or a value that presets do not have.
 */
export function preset(row: Preset): Provider {
  checkPresetRow(row)
  const { speaks = ['chat'], ifNamed = [], outputLimitField = 'max_tokens' } = row
  const { errorStatuses, freeCall, listsModels, mayLackKey, reportsCost, thinksInText } = row
  const dialects = [...speaks, ...ifNamed].map((id, index) => {
    const baseUrl = row.baseUrls?.[id] ?? (index === 0 ? row.baseUrl : undefined)
    const own: ProviderPreset = {
      ...(baseUrl !== undefined && { baseUrl }),
      ...(index >= speaks.length && { onlyIfNamed: true }),
      ...differences[id]?.(row),
    }
    return [id, own] as const
  })
  return {
    credential: row.credential ?? bearer,
    outputLimitField,
    ...(errorStatuses && { errorStatuses }),
    ...(freeCall !== undefined && { freeCall }),
    ...(listsModels === false && { listsModels }),
    ...(mayLackKey && { mayLackKey }),
    ...(reportsCost && { reportsCost }),
    ...(thinksInText && { thinksInText }),
    dialects: Object.fromEntries(dialects),
  }
}

const bearer: MakeCredential = ({ apiKey }) =>
  apiKey === undefined ? undefined : headerCredential('authorization', apiKey, 'Bearer')

/** How dialects differ at servers with an API like OpenAI's. */
const differences: Readonly<Record<string, (row: Preset) => Omit<ProviderPreset, 'baseUrl'>>> = {
  chat: (row) => ({
    lacks: [...commonLacks, ...(row.lacks ?? [])],
    adapt: { ...(row.listsModels === false && { target: withoutModels }), body: bodyOf(row) },
  }),
  responses: ({ keepsResponses }) => (keepsResponses ? {} : { lacks: ['stored-responses'] }),
  embeddings: ({ dimensionsAs }) =>
    dimensionsAs === undefined ? {} : { adapt: { body: { rename: { dimensions: dimensionsAs } } } },
  // Few count tokens or list models beside the messages.
  messages: () => ({
    adapt: { target: ({ path, query }) => (path === '/v1/messages' ? { path, query } : undefined) },
  }),
}

/** The root has the version, if there is one. */
const withoutModels: NonNullable<Adaptation['target']> = ({ path, query }) =>
  path === '/v1/models' ? undefined : { path: path.replace(/^\/v1(?=\/)/, ''), query }

function bodyOf({ body, turns = {}, models = [] }: Preset): NonNullable<Adaptation['body']> {
  const common: BodyChanges = { ...body, roles, turns }
  const ofModels = models.map((one) => ({
    named: one.named,
    changes: { ...common, ...one.body, ...(one.turns && { turns: one.turns }) },
  }))
  if (ofModels.length === 0) return common
  return ({ model }) => ofModels.find(({ named }) => named.test(model))?.changes ?? common
}
