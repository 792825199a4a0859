import {
  type AccountRequest,
  type Answer,
  type FakeAccount,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'
import { type Form, wholeStream } from '../streams/forms.ts'
import { accountFor, type AccountSettings, openStream } from '../streams/scripted.ts'

/** What an account does with its requests; `closed` has nobody listen at its address. */
export type Script = Answer | 'closed'

export interface Pool<Id extends string> extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly accounts: Readonly<Record<Id, FakeAccount>>
  /** The configuration of the accounts, to be reloaded. */
  readonly settings: readonly AccountSettings[]
}

/** A gateway before several accounts of one provider, asked in the order in which they are given. */
export async function startPool<Id extends string>(
  form: Form,
  scripts: Record<Id, Script>,
  options: Omit<TestGatewayOptions, 'accounts'> = {},
  change: (settings: AccountSettings) => AccountSettings = (settings) => settings,
): Promise<Pool<Id>> {
  const accounts = {} as Record<Id, FakeAccount>
  const settings: AccountSettings[] = []
  for (const id of Object.keys(scripts) as Id[]) {
    accounts[id] = await startAccount(scripts[id])
    settings.push(change(accountFor(form, id, accounts[id].url, { priority: settings.length })))
  }
  const gateway = await createTestGateway({ ...options, accounts: settings })
  return {
    gateway,
    accounts,
    settings,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      for (const id in accounts) await accounts[id][Symbol.asyncDispose]()
    },
  }
}

/** Starts an account; `closed` is at a port that the system gives to no server that asks for any. */
export async function startAccount(script: Script): Promise<FakeAccount> {
  if (script !== 'closed') return startFakeAccount(script)
  return { url: 'http://127.0.0.1:9', requests: [], async [Symbol.asyncDispose]() {} }
}

/** The calls among an account's requests. The others are the gateway's own checks. */
export function callsTo({ requests }: Pick<FakeAccount, 'requests'>): readonly AccountRequest[] {
  return requests.filter(({ method }) => method === 'POST')
}

/** Serves the form's example, in the way it was asked for. */
export function serving(form: Form): Answer {
  return (response, { url, body }) => {
    const { stream } = JSON.parse(body.toString()) as { stream?: boolean }
    if (!stream && !url.includes('streamGenerateContent')) {
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify(form.reply))
    }
    openStream(response)
    response.end(wholeStream(form).join(''))
  }
}

/** Refuses with a status, in words that all providers' envelopes share. */
export function refusing(status: number, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message: `refused with ${status}` } }))
  }
}
