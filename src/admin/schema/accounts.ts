import { setAccountEnabled } from '../../stores/account-states.ts'
import type { Account } from '../../contract/account.ts'
import { addAct } from '../act.ts'
import type { AdminBuilder } from '../builder.ts'
import { complexityOfPage, pageOf, sliceAfter } from '../connections.ts'
import type { AdminContext } from '../context.ts'
import { notFound } from '../failures.ts'

/** Adds the accounts, and the acts that enable and disable them. */
export function addAccounts(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const account = builder.objectRef<Account>('Account').implement({
    description: 'An upstream account. Its credential is never returned.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      provider: t.exposeString('provider'),
      speaks: t.stringList({ resolve: ({ speaks }) => [...speaks] }),
      enabled: t.exposeBoolean('enabled'),
      state: t.string({
        description: 'enabled or disabled.',
        resolve: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
      }),
    }),
  })
  builder.queryField('accounts', (t) =>
    t.connection({
      type: account,
      description: 'The accounts, in the order of their ids.',
      authScopes,
      complexity: complexityOfPage,
      resolve: (_root, page, context) =>
        pageOf(page, idOf, (part) => sliceAfter(sorted(context), idOf, part)),
    }),
  )
  builder.queryField('account', (t) =>
    t.field({
      type: account,
      nullable: true,
      description: 'The account of an id; null if there is none.',
      authScopes,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => find(context, id),
    }),
  )
  const disable = builder.inputType('DisableAccountInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ required: true, description: 'For the audit record.' }),
    }),
  })
  const disabled = builder.objectRef<{ account: Account }>('DisableAccountSuccess').implement({
    authScopes,
    fields: (t) => ({ account: t.field({ type: account, resolve: (one) => one.account }) }),
  })
  addAct(builder, {
    name: 'disableAccount',
    description: 'Takes an account out of service in all processes, within two seconds.',
    role: 'operator',
    action: 'account.disable',
    input: disable,
    success: disabled,
    target: ({ id }) => ({ type: 'account', id }),
    reason: ({ reason }) => reason,
    async run({ id }, context) {
      const known = find(context, id)
      if (!known) return notFound('account', id)
      await setAccountEnabled(context.services.running.store, id, false)
      return {
        done: { account: { ...known, enabled: false } },
        changes: { before: { enabled: known.enabled }, after: { enabled: false } },
      }
    },
  })
}

const idOf = ({ id }: Account) => id

function sorted({ services: { running } }: AdminContext): Account[] {
  return running.accounts.snapshot.accounts.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

function find({ services: { running } }: AdminContext, id: string): Account | undefined {
  return running.accounts.snapshot.accounts.find((account) => account.id === id)
}
