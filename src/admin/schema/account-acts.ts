import type { InputRef } from '@pothos/core'

import { addAct } from '../act.ts'
import { switchAccount } from '../accounts/change.ts'
import { type AccountTest, testAccount } from '../accounts/test-account.ts'
import { findAccount, findLatestAccount } from '../accounts/find.ts'
import type { AccountView } from '../accounts/views.ts'
import type { AuditTarget } from '../../audit/log.ts'
import type { AdminBuilder } from '../builder.ts'
import type { AdminContext } from '../context.ts'
import { conflict, invalid, isFailure } from '../failures.ts'
import { noteMissingProcesses } from '../incomplete.ts'
import type { ReadmitCommand } from '../processes/account-acts.ts'
import type { AdminServices } from '../services.ts'
import type { AccountType } from './accounts.ts'
import { addRecordPayload } from './payloads.ts'

const role = 'operator'
const authScopes = { viewer: true }

/** The longest id of an audit record, in characters. */
const longestId = 128

/** The target of an act on an account. */
export function targetOf({ id }: { readonly id: string }): AuditTarget {
  return { type: 'account', id: id.slice(0, longestId) }
}

/** The description of `reason` in an input. */
export const forRecord = { description: 'For the audit record.' }

/** Adds the acts that steer accounts of the file and of the store. */
export function addAccountActs(builder: AdminBuilder, account: AccountType): void {
  addSwitches(builder, account)
  addReadmissions(builder, account)
  addTest(builder, account)
}

function addSwitches(builder: AdminBuilder, account: AccountType): void {
  addAct(builder, {
    name: 'disableAccount',
    description: 'Takes an account out of service in all processes, within two seconds.',
    role,
    action: 'account.disable',
    input: builder.inputType('DisableAccountInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        reason: t.string({ required: true, ...forRecord }),
        drain: t.boolean({
          defaultValue: true,
          description: 'Calls under way go on. False: they end with an error, in all processes.',
        }),
      }),
    }),
    success: builder
      .objectRef<{ account: AccountView; running: number }>('DisableAccountSuccess')
      .implement({
        authScopes,
        fields: (t) => ({
          account: t.field({ type: account, nullable: true, resolve: (one) => one.account }),
          running: t.exposeInt('running', {
            description: 'How many calls were under way, in all processes that answered.',
          }),
        }),
      }),
    target: targetOf,
    async run({ id, reason, drain }, context) {
      const { services } = context
      const result = await switchAccount(services, id, false, reason)
      if ('failure' in result) return result
      const { done, changes } = result
      const { calls } = services
      if (drain !== false) {
        const running = await calls.inFlight(id)
        const after = { ...changes.after, drain: true }
        return { done: { ...done, running }, changes: { ...changes, after } }
      }
      const { ended, unanswered } = await calls.cancel(id)
      noteMissingProcesses(context, 'disableAccount', unanswered)
      const after = { ...changes.after, drain: false, ended }
      return { done: { ...done, running: ended }, changes: { ...changes, after } }
    },
  })
  addAct(builder, {
    name: 'enableAccount',
    description: 'Enables an account again in all processes, within two seconds.',
    role,
    action: 'account.enable',
    input: idInput(builder, 'EnableAccountInput'),
    success: addRecordPayload(builder, 'EnableAccountSuccess', 'account', account),
    target: targetOf,
    run: ({ id }, { services }) => switchAccount(services, id, true),
  })
}

function addReadmissions(builder: AdminBuilder, account: AccountType): void {
  const success = (name: string) =>
    builder.objectRef<{ account: AccountView; ended: number }>(name).implement({
      authScopes,
      fields: (t) => ({
        account: t.field({ type: account, nullable: true, resolve: (one) => one.account }),
        ended: t.exposeInt('ended', {
          description: 'How many it has ended, in all processes that answered.',
        }),
      }),
    })
  addAct(builder, {
    name: 'resetCircuit',
    description:
      'Closes the circuits of an account, or the circuits of one dialect, in all processes.',
    role,
    action: 'account.reset-circuit',
    input: builder.inputType('ResetCircuitInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        dialect: t.string(),
        reason: t.string(forRecord),
      }),
    }),
    success: success('ResetCircuitSuccess'),
    target: targetOf,
    run: ({ id, dialect }, context) =>
      readmit(context, {
        accountId: id,
        kind: 'circuit',
        ...(typeof dialect === 'string' && { dialect }),
      }),
  })
  addAct(builder, {
    name: 'clearCoolDown',
    description:
      'Ends the pauses and refusals of an account, or of one of its models, in all processes. The next calls show whether it works.',
    role,
    action: 'account.clear-cool-down',
    input: builder.inputType('ClearCoolDownInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        model: t.string({ description: "By the account's own name." }),
        reason: t.string(forRecord),
      }),
    }),
    success: success('ClearCoolDownSuccess'),
    target: targetOf,
    run: ({ id, model }, context) =>
      readmit(context, {
        accountId: id,
        kind: 'cool-down',
        ...(typeof model === 'string' && { model }),
      }),
  })
}

async function readmit(context: AdminContext, command: ReadmitCommand) {
  const { services } = context
  const { accountId: id } = command
  const before = await findLatestAccount(services, id)
  if (isFailure(before)) return before
  const dialect = command.kind === 'circuit' ? command.dialect : undefined
  if (dialect !== undefined && before.account && !before.speaks.includes(dialect)) {
    const known = before.speaks.join(', ')
    const message = `is no dialect of the account: it speaks ${known}`
    return invalid([
      { path: 'input.dialect', message, fix: `use one of ${known}, or leave it out` },
    ])
  }
  const { ended, unanswered } = await services.readmit(command)
  const act = command.kind === 'circuit' ? 'resetCircuit' : 'clearCoolDown'
  noteMissingProcesses(context, act, unanswered)
  return {
    done: { account: findAccount(services, id) ?? before, ended },
    changes: { after: { ...command, ended } },
  }
}

function addTest(builder: AdminBuilder, account: AccountType): void {
  const outcome = builder.enumType('AccountTestOutcome', {
    description:
      'INCONCLUSIVE: the call failed or says nothing about the credential. GONE: the account was changed meanwhile.',
    values: {
      ACCEPTED: { value: 'accepted' },
      REFUSED: { value: 'refused' },
      INCONCLUSIVE: { value: 'inconclusive' },
      GONE: { value: 'gone' },
    } as const,
  })
  addAct(builder, {
    name: 'testAccount',
    description: 'Makes a free call to the saved address of an account, with its credential.',
    role,
    action: 'account.test',
    input: idInput(builder, 'TestAccountInput'),
    success: builder
      .objectRef<{ account: AccountView; test: AccountTest }>('TestAccountSuccess')
      .implement({
        authScopes,
        fields: (t) => ({
          account: t.field({ type: account, nullable: true, resolve: (one) => one.account }),
          outcome: t.field({ type: outcome, resolve: ({ test }) => test.outcome }),
          dialect: t.string({
            nullable: true,
            description:
              'The dialect of the call. Null: no dialect of the account has a free call.',
            resolve: ({ test }) => test.dialect,
          }),
          message: t.string({
            nullable: true,
            description:
              'Why the account was not accepted; null: it was. Beside the `message` of a failure it needs an alias.',
            resolve: ({ test }) => test.message,
          }),
          remedy: t.string({
            nullable: true,
            description:
              'What to do about a credential that the account cannot be given; null: it is given one.',
            resolve: ({ test }) => test.fix,
          }),
          durationMs: t.int({ resolve: ({ test }) => test.durationMs }),
        }),
      }),
    target: targetOf,
    run: ({ id }, { services }) => test(services, id),
  })
}

async function test(services: AdminServices, id: string) {
  const view = await findLatestAccount(services, id)
  if (isFailure(view)) return view
  if (!view.account) return conflict(`The account "${id}" has problems: no call can use it.`)
  const result = await testAccount(services, view.account)
  const { outcome, message } = result
  const changed = { outcome, ...(message !== undefined && { message }) }
  return { done: { account: view, test: result }, changes: { after: changed } }
}

function idInput(builder: AdminBuilder, name: string): InputRef<IdInput> {
  return builder.inputType(name, {
    fields: (t) => ({ id: t.id({ required: true }), reason: t.string(forRecord) }),
  })
}

interface IdInput {
  readonly id: string
  readonly reason?: string | null | undefined
}
