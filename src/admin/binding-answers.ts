import { GatewayError } from '../contract/errors.ts'
import type { Explanation } from '../attempt/explain.ts'
import type { ModelMap } from '../contract/account.ts'
import type { BindingLookup } from './binding-lookup.ts'
import { type ForwardRoute, choosesAccount, explainFor } from './explain.ts'
import type { AdminServices } from './services.ts'

/** `CHAIN`: a call continues the resource. `READ`: it reads it by its id. `NAME`: it names the data. */
export const bindingUses = ['CHAIN', 'READ', 'NAME'] as const

/** How a call of one kind that names a resource would be answered now. */
export interface BindingAnswer {
  readonly use: (typeof bindingUses)[number]
  /** The id of the call's dialect. */
  readonly dialect: string
  /** 200 for a call that goes to an account or that the gateway answers from its store. */
  readonly status: number
  /** Absent for a call that is served. */
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** The account that would be asked. Absent: none. */
  readonly account?: string | undefined
}

type Services = Pick<AdminServices, 'running' | 'settings'>

/** A call that refers to a resource, as the least request of its operation. */
interface Asking extends Pick<BindingAnswer, 'use'> {
  readonly route: ForwardRoute
  /** Members of the body. Absent: the id is in the path. */
  readonly members?: object
}

/**
 * How calls of the key that refer to the resource would be answered now, one for each way and dialect:
 * dry runs. The key counts as valid. `wanted` is the model of a call that has one, by default the
 * resource's, otherwise one of its account or of any. Rejects if a dry run does not end in time.
 */
export async function answersFor(
  services: Services,
  { name: { kind, keyId, id }, binding }: BindingLookup,
  wanted: string | undefined,
): Promise<BindingAnswer[]> {
  const model = wanted ?? (binding?.model || anyModel(services, binding?.account))
  const caller = { keyId, mayUse: () => true }
  const answers: BindingAnswer[] = []
  for (const { use, route, members } of askings(services, kind, id)) {
    const { dialect, operation } = route
    const about = { dialect: dialect.id, operation: operation.id }
    const request = members
      ? { model, body: { ...operation.least?.body, model, ...members } }
      : { id }
    try {
      const explanation = await explainFor(services, caller, { ...about, ...request })
      answers.push({ use, dialect: dialect.id, ...answerOf(explanation) })
    } catch (error) {
      // No request has such an id.
      if (!GatewayError.isInstance(error)) throw error
    }
  }
  return answers
}

/** The calls that refer to a resource: for each way the first operation of a dialect. */
function askings({ running }: Services, kind: string, id: string): Asking[] {
  const found = new Map<string, Asking>()
  const add = (asking: Asking) => {
    const place = `${asking.use} ${asking.route.dialect.id}`
    if (!found.has(place)) found.set(place, asking)
  }
  for (const route of running.gateway.routes.filter(choosesAccount)) {
    const { capability, method, least } = route.operation
    const continuing = membersOf(least?.continues, kind, id)
    if (continuing) add({ use: 'CHAIN', route, members: continuing })
    if (capability === `stored-${kind}` && method === 'GET') add({ use: 'READ', route })
    const naming = membersOf(least?.names, kind, id)
    if (naming) add({ use: 'NAME', route, members: naming })
  }
  return [...found.values()].toSorted(byUse)
}

function membersOf(
  byKind: Readonly<Record<string, (id: string) => object>> = {},
  kind: string,
  id: string,
): object | undefined {
  return Object.hasOwn(byKind, kind) ? byKind[kind]?.(id) : undefined
}

function byUse(one: Asking, other: Asking): number {
  return bindingUses.indexOf(one.use) - bindingUses.indexOf(other.use)
}

function answerOf({ answer, chosen }: Explanation): Omit<BindingAnswer, 'use' | 'dialect'> {
  const { status = 200, code, message } = answer ?? {}
  return { status, code, message, account: chosen?.account.id }
}

/** A model of the account, or of any account if this one lists no model. Empty: no account has a model. */
function anyModel({ running }: Services, accountId: string | undefined): string {
  const { accounts } = running.accounts.snapshot
  const own = accounts.find(({ id }) => id === accountId)
  for (const { models } of own ? [own, ...accounts] : accounts) {
    const name = nameIn(models)
    if (name !== undefined) return name
  }
  return ''
}

/** A name that a map of models has. */
function nameIn({ names, patterns = [] }: ModelMap): string | undefined {
  const [first = patterns[0]?.replaceAll('*', 'any')] = names
  return first
}
