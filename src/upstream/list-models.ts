import { publishedModels } from '../accounts/prices.ts'
import type { Account } from '../contract/account.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { AccountDialect, ModelList } from '../contract/dialect-info.ts'
import { isModelName } from '../kit/account-path.ts'
import { redactKey } from '../kit/secrets/redact.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import { type Work, runInTurns } from '../lib/turns.ts'
import { providerHas } from './adapt.ts'
import { type Asked, type FreeCallEnvironment, callFree } from './free-call.ts'

/** The most bytes of a page. OpenRouter's list, with its descriptions, has about one million. */
const mostBytes = 4 * 1024 * 1024
/** The most pages, of a thousand models each where the dialect can ask for so many. */
const mostPages = 10
/** The most names of an account that are read. */
const mostNames = 5_000
/** In characters. Names with a region, a project and an account have about a hundred. */
const longestName = 200

/** The models that an account lists. */
export type ListedModels =
  /** Platform models, each once, that patterns of the account cover. */
  | { readonly models: readonly string[] }
  /** Why they are unknown, in words for operators: nothing in it is the account's own. */
  | { readonly failure: string }

/** Statuses of an account without a list. */
const withoutList: ReadonlySet<number | undefined> = new Set([404, 405, 501])

/**
 * Lists the platform models that the patterns of an account cover, by the list of its dialect, or where it has none by
 * the published prices of its provider. `undefined`: no model is known without a list, or the snapshot does not have
 * the account any more. Never rejects. The account chooses
 * each byte of the answers, so their number, size and time are bounded; a name that no call can have is left out.
 */
export async function listModels(
  account: Account,
  dialects: readonly AccountDialect[],
  snapshot: Snapshot,
  environment: FreeCallEnvironment,
): Promise<ListedModels | undefined> {
  const dialect = account.speaks
    .map((id) => dialects.find((one) => one.id === id))
    .find((one) => one?.upstream.modelList && providerHas(account, one, one.upstream.modelList))
  const list = dialect?.upstream.modelList
  if (!snapshot.accounts.includes(account)) return undefined
  if (!list || account.listsModels === false) return knownModels(account)
  const models = new Set<string>()
  let query: string | undefined = list.query
  let read = 0
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await readPage({ account, dialect }, { ...list, query }, snapshot, environment)
    if ('failure' in page)
      return withoutList.has(page.status) ? ((await knownModels(account)) ?? page) : page
    const names = page.names.slice(0, mostNames - read)
    read += names.length
    await runInTurns(addModels(models, names, account))
    if (page.next === undefined || read === mostNames) break
    query = page.next
  }
  return { models: [...models] }
}

/** The models of the provider that have published prices; `undefined` where the patterns cover none of them. */
async function knownModels(account: Account): Promise<ListedModels | undefined> {
  const models = new Set<string>()
  await runInTurns(addModels(models, publishedModels(account.provider), account))
  return models.size === 0 ? undefined : { models: [...models] }
}

/** Hostile names of a page take half a second to look at. */
function* addModels(models: Set<string>, names: readonly string[], account: Account): Work<void> {
  for (const name of names) {
    yield
    if (!isListable(name, account)) continue
    for (const model of account.models.platformNames?.(name) ?? []) {
      if (isListable(model, account)) models.add(model)
    }
  }
}

type Page = NonNullable<ReturnType<ModelList['read']>>

async function readPage(
  asked: Asked,
  list: Omit<ModelList, 'query'> & { readonly query: string | undefined },
  snapshot: Snapshot,
  environment: FreeCallEnvironment,
): Promise<Page | { readonly failure: string; readonly status?: number }> {
  const most = (status: number) => (status < 300 ? mostBytes : 0)
  const call = { path: list.path, query: list.query, mostBytes: most }
  const {
    status = 0,
    reply,
    failure = 'It does not answer.',
  } = await callFree(asked, call, snapshot, environment)
  if (!reply) return { failure }
  if (status >= 300) return { failure: `The account answers with the status ${status}.`, status }
  if (reply.isOverLimit) return { failure: 'The list has more than 4 MiB.' }
  try {
    const json = parseOrUndefined(reply.body().toString())
    const page = list.read(json)
    if (page) return page
  } catch {
    // A dialect of a third party may expect another form.
  }
  return { failure: 'The list cannot be read.' }
}

/** Whether a call can have a name, and a list may show it: no control or format characters, and no secret. */
function isListable(name: string, account: Account): boolean {
  return (
    name.length <= longestName &&
    isModelName(name) &&
    !/\p{C}/u.test(name) &&
    redactKey(name, account) === name
  )
}
