import { pathAt, rootOf, unfitText } from '../../kit/account-path.ts'
import type { Account, AccountSetting } from '../../contract/account.ts'
import { type AnyDialect, hasAccounts, hasClients } from '../../contract/dialect.ts'
import type { Candidate } from '../../contract/candidate.ts'
import type { Routed } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Problem } from '../../contract/problems.ts'
import { withoutHeaders } from '../../upstream/outbound.ts'
import type { GenerateRequest } from '../../generate/request.ts'
import type { CheckedConfiguration } from '../../configuration/resolve.ts'
import type { Plan } from '../plan.ts'

/** Reports each configured name of a model that cannot be a part of the paths of its account. */
export function modelPathProblems(
  { settings, accountPaths }: Pick<CheckedConfiguration, 'settings' | 'accountPaths'>,
  { plugins, snapshot }: Pick<Plan, 'plugins' | 'snapshot'>,
): Problem[] {
  const dialects = plugins.flatMap((plugin) => plugin.dialects ?? [])
  const accounts = new Map(snapshot.accounts.map((account) => [account.id, account]))
  return settings.accounts.flatMap((setting, index) => {
    const account = accounts.get(setting.id)
    const spoken = dialects.filter(({ id }) => account?.speaks.includes(id))
    if (!account) return []
    return namesOf(setting).flatMap(([at, name]) => {
      const dialect = spoken.find((each) => isUnfit(account, each, name))
      return dialect ? [problem(`${accountPaths[index]}.models${at}`, setting, name, dialect)] : []
    })
  })
}

/** The account's names of models without a wildcard, and where they are. */
function namesOf({ models }: AccountSetting): (readonly [string, string])[] {
  const entries = Array.isArray(models)
    ? models.map((name: string, index) => [`[${index}]`, name] as const)
    : Object.entries(models).map(([own, name]: [string, string]) => [`.${own}`, name] as const)
  return entries.filter(([, name]) => !name.includes('*'))
}

/** Whether one of the requests of a dialect to an account has no path because of a model's name. */
function isUnfit(account: Account, dialect: AnyDialect, name: string): boolean {
  if (!hasAccounts(dialect)) return false
  const { generate, upstream } = dialect
  const operations = hasClients(dialect) ? dialect.operations : []
  const ways = [
    () => generate?.codec.encodeRequest(leastRequest, name, () => {}, account).path,
    ...operations.map((operation) => () => targetOf(operation, { account, dialect }, name)),
  ]
  return ways.some((path) => {
    try {
      const found = path()
      if (found !== undefined) pathAt(rootOf(account, dialect), upstream, found)
      return false
    } catch (thrown) {
      // Other errors are about the least request, which some operations refuse.
      return unfitText(thrown)?.includes(name) ?? false
    }
  })
}

function targetOf(
  operation: Operation,
  { account, dialect }: Pick<Candidate, 'account' | 'dialect'>,
  name: string,
) {
  if (!('forward' in operation) || !('target' in operation.forward)) return undefined
  const json = operation.least?.body ?? {}
  const client = { method: operation.method, path: '', query: '', headers: {} }
  const exchange = {
    operation,
    dialect,
    params: { model: name },
    request: withoutHeaders(client as unknown as Routed['request']),
    body: { json },
    call: { model: name, stream: false, refersTo: [], edits: [], losses: [] },
    model: { requested: name, name },
    candidate: { account, dialect, native: true, upstreamModel: name },
  }
  return operation.forward.target(exchange as unknown as Routed).path
}

const leastRequest: GenerateRequest = {
  stream: false,
  turns: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  sampling: {},
  fields: {},
  extras: [],
}

function problem(path: string, { id }: AccountSetting, name: string, dialect: AnyDialect): Problem {
  return {
    path,
    message: `account "${id}" cannot be asked for "${name}": its dialect "${dialect.id}" writes the name into a path, of which it cannot be a part`,
    fix: 'name the model as the paths of the account can; slashes need a dialect that says how its accounts take them',
  }
}
