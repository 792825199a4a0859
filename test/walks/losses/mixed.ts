import {
  type Answer,
  type FakeAccount,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'
import { serving } from '../failover/pool.ts'
import type { Form } from '../streams/forms.ts'
import { accountFor, type AccountSettings } from '../streams/scripted.ts'

/** An account that speaks one dialect only, and answers in it unless it is told otherwise. */
export interface Member {
  readonly form: Form
  readonly script?: Answer
  readonly settings?: Partial<AccountSettings>
}

export interface Mixed<Id extends string> extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly accounts: Readonly<Record<Id, FakeAccount>>
}

/** A gateway before accounts of several dialects. */
export async function startMixed<Id extends string>(
  members: Record<Id, Member>,
  options: Omit<TestGatewayOptions, 'accounts'> = {},
): Promise<Mixed<Id>> {
  await using opening = new AsyncDisposableStack()
  const accounts = {} as Record<Id, FakeAccount>
  const settings: AccountSettings[] = []
  for (const id of Object.keys(members) as Id[]) {
    const { form, script = serving(form), settings: own } = members[id]
    accounts[id] = opening.use(await startFakeAccount(script))
    settings.push(accountFor(form, id, accounts[id].url, { speaks: [dialectOf(form)], ...own }))
  }
  const gateway = opening.use(await createTestGateway({ ...options, accounts: settings }))
  const opened = opening.move()
  return { gateway, accounts, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The family that an account speaks whose dialect the form is. */
export function dialectOf({ name }: Form): string {
  return name === 'generate-array' ? 'generate' : name
}

/** What an account was asked for. */
export function bodyOf({ requests }: FakeAccount, index = 0): Record<string, unknown> {
  return JSON.parse(requests[index]?.body.toString() ?? '{}') as Record<string, unknown>
}
