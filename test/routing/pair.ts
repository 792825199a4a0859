import {
  type AccountRequest,
  type Answer,
  startFakeAccount,
} from '../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../src/testing/gateway.ts'
import { serving } from '../walks/failover/pool.ts'
import { ask, type Asking } from '../walks/streams/asking.ts'
import type { Form } from '../walks/streams/forms.ts'
import { accountFor, type AccountSettings } from '../walks/streams/scripted.ts'

/** An account that does what the test last said. */
export interface SteeredAccount {
  script: Answer
  readonly requests: readonly AccountRequest[]
}

/** A reply, read to its end. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** The account that served it, or was asked last. */
  readonly account: string | null
  readonly json: Record<string, unknown>
  /** What `x-dragoman-route` says. */
  readonly route: unknown
}

export interface Pair extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly a: SteeredAccount
  readonly b: SteeredAccount
  readonly settings: readonly AccountSettings[]
  /** Asks for a reply in one piece. */
  ask(options?: Asking & { readonly key?: string; readonly form?: Form }): Promise<Answered>
}

export interface PairOptions extends Omit<TestGatewayOptions, 'accounts'> {
  readonly a?: Partial<AccountSettings>
  readonly b?: Partial<AccountSettings>
}

/** So much more weight that the other account is never taken by chance. */
export const nearlyAlways = 1e6

/** A gateway before two accounts, `a` and `b`, that both serve the form at first. */
export async function startPair(form: Form, options: PairOptions = {}): Promise<Pair> {
  const { a: settingsOfA, b: settingsOfB, ...rest } = options
  const a = await startSteered(form)
  const b = await startSteered(form)
  const settings = [
    accountFor(form, 'a', a.url, settingsOfA),
    accountFor(form, 'b', b.url, settingsOfB),
  ]
  const gateway = await createTestGateway({ ...rest, accounts: settings })
  return {
    gateway,
    a,
    b,
    settings,
    async ask({ key = gateway.key, form: other = form, ...asking } = {}) {
      return read(await ask({ url: gateway.url, key }, other, { stream: false, ...asking }))
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await a[Symbol.asyncDispose]()
      await b[Symbol.asyncDispose]()
    },
  }
}

async function startSteered(
  form: Form,
): Promise<SteeredAccount & AsyncDisposable & { readonly url: string }> {
  const account = await startFakeAccount((response, request) => steered.script(response, request))
  const steered = { ...account, script: serving(form) }
  return steered
}

async function read(response: Response): Promise<Answered> {
  const route = response.headers.get('x-dragoman-route')
  return {
    status: response.status,
    headers: response.headers,
    account: response.headers.get('x-dragoman-account'),
    json: (await response.json()) as Record<string, unknown>,
    route: route === null ? undefined : JSON.parse(route),
  }
}
