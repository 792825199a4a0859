import type { JsonObject } from '../../../src/lib/json/object.ts'
import {
  type FakeAccount,
  answerJson,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../../src/testing/gateway.ts'
import { form } from '../../walks/streams/forms.ts'
import { accountFor } from '../../walks/streams/scripted.ts'
import { type Name, names } from '../samples/index.ts'

/** The policies under which every field is sent. */
export const policies = ['drop', 'reject'] as const

export type Policy = (typeof policies)[number]

/** The upstream model of each account: one that supports every setting of its API as far as any does. */
const models: Readonly<Record<Name, string>> = {
  responses: 'gpt-5.4',
  chat: 'gpt-5.4',
  messages: 'claude-sonnet-4-5',
  generate: 'gemini-3-flash',
}

/** What became of a request. */
export interface Asked {
  readonly status: number
  /** The body that the account got; `undefined` if it was not asked. */
  readonly body: JsonObject | undefined
  readonly losses: readonly string[]
  /** The field that a refusal names. */
  readonly param: string | undefined
  readonly message: string
}

/** A gateway before one recording account of each dialect. */
export interface FieldStage extends AsyncDisposable {
  ask(client: Name, account: Name, policy: Policy, body: JsonObject): Promise<Asked>
  /** Asks under `drop`, and remembers the answer. */
  askOnce(client: Name, account: Name, body: JsonObject): Promise<Asked>
}

/** Starts the gateway and the accounts. The model `on-chat` is that of the account that speaks Chat Completions. */
export async function startFieldStage(): Promise<FieldStage> {
  await using opening = new AsyncDisposableStack()
  const accounts = {} as Record<Name, FakeAccount>
  for (const name of names) {
    accounts[name] = opening.use(await startFakeAccount(answerJson(form[name].reply)))
  }
  const gateway = opening.use(
    await createTestGateway({
      accounts: names.map((name) =>
        accountFor(form[name], name, accounts[name].url, {
          speaks: [name],
          models: { [`on-${name}`]: models[name] },
        }),
      ),
      keys: policies.map((losses) => ({ id: losses, secret: `secret-${losses}`, losses })),
    }),
  )
  const opened = opening.move()
  const ask: FieldStage['ask'] = async (client, account, policy, body) => {
    const { requests } = accounts[account]
    const before = requests.length
    const reply = await send(gateway, client, `on-${account}`, policy, body)
    const sent = requests.slice(before).at(-1)
    return { ...reply, body: sent && (JSON.parse(sent.body.toString()) as JsonObject) }
  }
  const answers = new Map<string, Asked>()
  return {
    ask,
    async askOnce(client, account, body) {
      const name = `${client} on ${account}: ${JSON.stringify(body)}`
      const answer = answers.get(name) ?? (await ask(client, account, 'drop', body))
      answers.set(name, answer)
      return answer
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

interface ErrorDetail {
  readonly param?: string
  readonly metadata?: { readonly field?: string }
}

interface ErrorBody {
  readonly message?: string
  readonly details?: unknown
}

async function send(
  { url }: TestGateway,
  client: Name,
  model: string,
  policy: Policy,
  body: JsonObject,
): Promise<Omit<Asked, 'body'>> {
  const { path, headers } = form[client]
  const response = await fetch(`${url}${path(model, false)}`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      authorization: `Bearer secret-${policy}`,
    },
    body: JSON.stringify(client === 'generate' ? body : { ...body, model }),
  })
  const reply = (await response.json()) as { error?: ErrorBody }
  const losses = response.headers.get('x-dragoman-losses')
  return {
    status: response.status,
    losses: losses === null ? [] : losses.split(', '),
    param: paramOf(reply.error),
    message: reply.error?.message ?? '',
  }
}

/** The field that an error names: as its `param`, or in its message in dialects without one. */
function paramOf(error: ErrorBody | undefined): string | undefined {
  const details = (Array.isArray(error?.details) ? error.details : []) as ErrorDetail[]
  return (
    details[0]?.param ?? details[0]?.metadata?.field ?? /`([^`]+)`/.exec(error?.message ?? '')?.[1]
  )
}
