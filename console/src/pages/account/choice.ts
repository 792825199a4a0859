import { isOfClients } from '../../accounts/dialects.ts'
import { type PageAnswer, useAnswer } from '../../api/query.ts'
import { listOf } from '../../format/words.ts'
import type { Gate } from './gates.ts'
import {
  AccountChoice,
  type AccountChoiceQuery,
  type AccountChoiceQueryVariables,
} from './operations.generated.ts'
import type { OneAccount } from './types.ts'

/** How calls of one model would be served now, as far as it concerns the account. */
export interface ModelChoice {
  /** The name that clients send. */
  readonly name: string
  /** The account's own name; absent: the account cannot serve it now. */
  readonly upstreamModel?: string | undefined
  /** The share of calls for which the account is the first choice, from 0 to 1. */
  readonly chance: number
  /** Why it cannot serve the model now. */
  readonly why?: string | undefined
  readonly until?: string | undefined
  readonly others: readonly {
    readonly id: string
    readonly chance: number
    readonly priority: number
  }[]
}

/** What explanations say of the account, and as whom they were asked. */
export interface AccountChoices {
  readonly keyId: string
  readonly dialect: string
  readonly models: readonly ModelChoice[]
}

/** How the account is chosen, as far as the answer says. */
export interface ChoiceAnswer {
  /** Undefined: not known. */
  readonly choices: AccountChoices | undefined
  /** Why nothing can be asked. */
  readonly whyNot?: string
  /** The answer of the explanations. */
  readonly page: PageAnswer<AccountChoiceQuery>
}

type Key = { readonly id: string; readonly models?: readonly string[] | null }

/** So many models are asked for. */
const most = 6

/** Asks how calls of the account's models would be served, as a key that may use them. Undefined keys: not known yet. */
export function useChoices(
  account: OneAccount | undefined,
  keys: readonly Key[] | undefined,
): ChoiceAnswer {
  const dialect = account && dialectOf(account)
  const names = account?.models.filter((name) => !name.includes('*')).slice(0, most) ?? []
  const key = keyOf(keys ?? [], names)
  const isOn = key !== undefined && dialect !== undefined && names.length > 0
  const page = useAnswer(AccountChoice, variablesOf(key?.id ?? '', dialect ?? '', names), {
    isOn,
    every: 10_000,
  })
  if (!isOn) return { choices: undefined, whyNot: whyNotOf(account, keys, dialect), page }
  const { data, isFormer } = page
  if (!data || isFormer || !account) return { choices: undefined, page }
  const answers = [data.a, data.b, data.c, data.d, data.e, data.f]
  const models = names.flatMap((name, index) => {
    const choice = answers[index]
    return choice ? [choiceOf(account.id, name, choice)] : []
  })
  return { choices: { keyId: key.id, dialect, models }, page }
}

function whyNotOf(
  account: OneAccount | undefined,
  keys: readonly Key[] | undefined,
  dialect: string | undefined,
): string {
  if (!account) return ''
  if (!keys) return 'The keys are not known.'
  if (keys.length === 0) return 'There is no active key that could ask for them.'
  if (dialect === undefined) return 'It speaks no dialect.'
  return 'It has only patterns of names: Explain says it for a name.'
}

/** The key that may use the most of the models: a key that may not gets an error, which is not the account's. */
function keyOf(keys: readonly Key[], names: readonly string[]): Key | undefined {
  const usable = ({ models }: Key) => names.filter((name) => permits(models, name)).length
  return keys.toSorted((a, b) => usable(b) - usable(a))[0]
}

/** Whether names and patterns, which end in `*`, permit a model; absent: all. */
function permits(models: readonly string[] | null | undefined, name: string): boolean {
  if (!models) return true
  return models.some((one) =>
    one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name,
  )
}

/** The dialect in which clients ask for the models of an account; undefined: it speaks none. */
function dialectOf({ speaks }: Pick<OneAccount, 'speaks'>): string | undefined {
  const own = speaks.find(isOfClients)
  return own ?? (speaks.length > 0 ? 'messages' : undefined)
}

function variablesOf(
  keyId: string,
  dialect: string,
  names: readonly string[],
): AccountChoiceQueryVariables {
  const input = (index: number) => ({ keyId, dialect, model: names[index] ?? names[0] ?? '' })
  const has = (index: number) => index < names.length
  return {
    a: input(0),
    b: input(1),
    c: input(2),
    d: input(3),
    e: input(4),
    f: input(5),
    hasB: has(1),
    hasC: has(2),
    hasD: has(3),
    hasE: has(4),
    hasF: has(5),
  }
}

function choiceOf(
  id: string,
  name: string,
  { candidates, excluded, answer }: AccountChoiceQuery['a'],
): ModelChoice {
  const own = candidates.find(({ accountId }) => accountId === id)
  const kept = excluded.find(({ accountId }) => accountId === id)
  return {
    name,
    upstreamModel: own ? (own.upstreamModel ?? name) : undefined,
    chance: own?.chance ?? 0,
    why: own ? undefined : (kept?.reason ?? answer?.message ?? 'it is no candidate'),
    until: kept?.until ?? undefined,
    others: candidates
      .filter(({ accountId }) => accountId !== id)
      .map(({ accountId, chance, priority }) => ({ id: accountId, chance, priority })),
  }
}

/** The last gate: whether the account is chosen. It is never shut: it says who comes first. */
export function chosenGate(
  account: OneAccount,
  { choices, whyNot, page: { isLoading } }: ChoiceAnswer,
): Gate {
  const gate = { id: 'chosen', name: 'It is chosen' }
  if (!choices)
    return {
      ...gate,
      state: 'unreached',
      words: whyNot ? `Not known. ${whyNot}` : isLoading ? 'Being asked for.' : 'Not known.',
    }
  const able = choices.models.filter(({ why }) => why === undefined)
  const first = able.filter(({ chance }) => chance > 0)
  const behind = able.filter(({ chance }) => chance === 0)
  const as = `for key ${choices.keyId} in ${choices.dialect}`
  if (able.length === 0)
    return { ...gate, state: 'unreached', words: 'Not reached: a gate above is shut.' }
  if (behind.length === 0) {
    const all = able.length === choices.models.length
    const models = all ? 'all its models' : listOf(able.map(({ name }) => name))
    return { ...gate, state: 'open', words: `A first choice of ${models}, ${as}.` }
  }
  const before = [
    ...new Map(
      behind
        .flatMap(({ others }) => others.filter(({ chance }) => chance > 0))
        .map((one) => [one.id, one]),
    ).values(),
  ]
  const names = listOf(before.map(({ id, priority }) => `${id} (priority ${priority})`))
  const own = account.priority ?? 'unknown'
  const only =
    first.length > 0
      ? `First choice of ${listOf(first.map(({ name }) => name))}. For the others, `
      : ''
  return {
    ...gate,
    state: 'note',
    words: `${only}${names} ${before.length === 1 ? 'comes' : 'come'} before it: a lower priority is asked first, and this one has ${own}. It gets calls when ${before.length === 1 ? 'that one fails' : 'they fail'} or cannot serve.`,
  }
}
