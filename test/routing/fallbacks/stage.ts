import type { FallbackKind } from '../../../src/contract/account.ts'
import type { FakeAccount } from '../../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'
import { type Script, startAccount } from '../../walks/failover/pool.ts'
import { type Form, form } from '../../walks/streams/forms.ts'
import { accountFor } from '../../walks/streams/scripted.ts'

export interface FallbackOptions extends Omit<TestGatewayOptions, 'accounts'> {
  /** The dialect of the accounts of `main`. */
  readonly mainForm?: Form
  /** The dialect of the account of `spare`. */
  readonly spareForm?: Form
  readonly on?: readonly FallbackKind[]
}

export interface FallbackStage extends AsyncDisposable {
  readonly gateway: TestGateway
  /** The accounts of the model `main`, in the order of their priority. */
  readonly main: readonly FakeAccount[]
  /** The account of the model `spare`. */
  readonly spare: FakeAccount
}

const key = { id: 'test', secret: 'test-secret', explain: true }

export const explaining = { 'x-dragoman-explain': '1' }

/** A gateway whose alias `fast` is the model `main`, for which `spare` stands in. */
export async function startFallback(
  form: Form,
  main: Script | readonly Script[],
  spare: Script,
  options: FallbackOptions = {},
): Promise<FallbackStage> {
  const { on = ['unavailable'], mainForm = form, spareForm = form, ...rest } = options
  await using starting = new AsyncDisposableStack()
  const scripts = typeof main === 'object' ? main : [main]
  const accounts: FakeAccount[] = []
  for (const script of scripts) accounts.push(starting.use(await startAccount(script)))
  const other = starting.use(await startAccount(spare))
  const gateway = starting.use(
    await createTestGateway({
      keys: [key],
      aliases: { fast: { model: 'main', fallbacks: [{ on, model: 'spare' }] } },
      ...rest,
      accounts: [
        ...accounts.map(({ url }, priority) =>
          accountFor(mainForm, `main-${priority}`, url, { models: ['main'], priority }),
        ),
        accountFor(spareForm, 'spare', other.url, { models: ['spare'] }),
      ],
    }),
  )
  const started = starting.move()
  return {
    gateway,
    main: accounts,
    spare: other,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** A dialect that the accounts of another provider speak. */
export function otherOf({ provider }: Form): Form {
  return provider === 'anthropic' ? form.generate : form.messages
}

/** What `x-dragoman-route` says. */
export function routeOf({ headers }: Response): unknown {
  const route = headers.get('x-dragoman-route')
  return route === null ? undefined : JSON.parse(route)
}
