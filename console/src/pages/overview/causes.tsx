import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { AccountWhy } from '../../accounts/AccountWhy.tsx'
import { byTrouble, isInTrouble, lookOf } from '../../accounts/looks.ts'
import type { StateLook } from '../../ui/State.tsx'
import { processLook, processName } from '../../processes/looks.ts'
import { listOf } from '../../format/words.ts'
import { AccountLink, ModelLink } from '../../ui/links.tsx'
import type { OverviewAccount, OverviewGateway, UnservedModel } from './types.ts'

/** Something that an operator has to look at: what, why, and what it means for clients. */
export interface Cause {
  readonly id: string
  readonly look: StateLook
  readonly subject: ReactNode
  readonly words: ReactNode
  /** Models whose calls fail, since this account does not serve them. */
  readonly unserved: readonly UnservedModel[]
  /** What else it means. */
  readonly consequence?: string
}

/** The models without an account, as far as the answer has them. */
export interface Unserved {
  readonly models: readonly UnservedModel[]
  /** Whether the answer has all of them, each with all of its accounts. */
  readonly isWhole: boolean
}

/** The causes of all trouble, the worst first: accounts whose models no other account serves come first. */
export function causesOf(
  gateway: OverviewGateway,
  accounts: readonly OverviewAccount[],
  { models, isWhole }: Unserved,
): readonly Cause[] {
  const inTrouble = accounts.filter(isInTrouble).sort(byTrouble)
  const has = ({ accounts }: UnservedModel, id: string) =>
    accounts.edges.some(({ node }) => node.accountId === id)
  const ofAccounts = inTrouble.map((account) =>
    accountCause(
      account,
      models.filter((model) => has(model, account.id)),
      isWhole,
    ),
  )
  const ofModels = models
    .filter((model) => !inTrouble.some(({ id }) => has(model, id)))
    .map(modelCause)
  return [
    ...ofAccounts.filter(({ unserved }) => unserved.length > 0),
    ...ofModels,
    ...gatewayCauses(gateway),
    ...ofAccounts.filter(({ unserved }) => unserved.length === 0),
  ]
}

/** What clients get of a model that no account serves: the dialect messages has a status of its own. */
export function statusText(failsWith: number | null | undefined): string {
  if (typeof failsWith !== 'number') return 'an error'
  return failsWith === 503 ? '503, in messages 529' : String(failsWith)
}

/** Why no account serves a model: none has it, operators or the file have disabled all that have it, or other causes. */
type ModelCause = 'missing' | 'disabled' | 'keptOut'

function causeOfModel({ accounts: { edges } }: UnservedModel): ModelCause {
  if (edges.length === 0) return 'missing'
  return edges.every(({ node }) => !node.enabled) ? 'disabled' : 'keptOut'
}

/** How many models fail for each cause; what stands in for a model makes up for it. */
export function causesOfModels(
  models: readonly UnservedModel[],
): Readonly<Record<ModelCause, number>> {
  const counts = { missing: 0, disabled: 0, keptOut: 0 }
  for (const model of models) if (!model.standIn) counts[causeOfModel(model)]++
  return counts
}

/** A model without an account in trouble: all that have it are disabled, or none has it. */
function modelCause(model: UnservedModel): Cause {
  const { name, standIn, failsWith, accounts } = model
  const ids = accounts.edges.map(({ node }) => node.accountId)
  const word = causeOfModel(model) === 'missing' ? 'No account' : 'All disabled'
  const why =
    ids.length === 0
      ? 'No account has this model'
      : `${listOf(ids)} ${ids.length === 1 ? 'has it, and is' : 'have it, and are'} disabled`
  return {
    id: `model ${name}`,
    look: standIn ? { word, shape: 'half', tone: 'warn' } : { word, shape: 'cross', tone: 'bad' },
    subject: <ModelLink id={name} />,
    words: `${why}: ${standIn ? `${standIn} stands in.` : `clients get ${statusText(failsWith)}.`}`,
    unserved: [],
  }
}

function accountCause(
  account: OverviewAccount,
  unserved: readonly UnservedModel[],
  isWhole: boolean,
): Cause {
  const { id, models, exclusions } = account
  // A model whose calls try the account counts as available.
  const isTried = exclusions.some(({ isProbing }) => isProbing)
  const failing = unserved.filter(({ standIn }) => !standIn)
  const saved = unserved.filter(({ standIn }) => standIn)
  const hasOthers = isWhole && unserved.length === 0 && models.length > 0 && !isTried
  const consequence = hasOthers
    ? 'Each of its models has an account.'
    : saved.map(({ name, standIn }) => `For ${name}, ${standIn} stands in.`).join(' ')
  return {
    id: `account ${id}`,
    look: lookOf(account),
    subject: <AccountLink id={id} />,
    words: <AccountWhy account={account} />,
    unserved: failing,
    ...(consequence !== '' && { consequence }),
  }
}

function gatewayCauses({
  store,
  processes,
  configuration,
  processesComplete,
}: OverviewGateway): Cause[] {
  const causes: Cause[] = []
  if (!store.reachable)
    causes.push({
      id: 'store',
      look: { word: 'Store away', shape: 'broken', tone: 'bad' },
      subject: <span className="mono">{store.kind.toLowerCase()}</span>,
      words: 'The store does not answer.',
      unserved: [],
      consequence:
        'What is known of accounts, keys and limits is what was known last. Acts wait until it is back.',
    })
  for (const one of processes) {
    const look = processLook(one)
    if (look.tone === 'ok' || look.tone === 'none') continue
    causes.push({
      id: `process ${one.id}`,
      look,
      subject: <span className="mono">{processName(one)}</span>,
      words: one.stale
        ? 'It no longer reports. What is shown of it is what was known last.'
        : 'It takes no calls.',
      unserved: [],
    })
  }
  if (!processesComplete && store.reachable)
    causes.push({
      id: 'processes',
      look: { word: 'Unknown', shape: 'quarter', tone: 'warn' },
      subject: 'Processes',
      words: 'There may be processes that are not listed: a record of one cannot be read.',
      unserved: [],
    })
  const hashes = new Set(processes.map(({ configuration: { hash } }) => hash))
  if (hashes.size > 1)
    causes.push({
      id: 'hashes',
      look: { word: 'Differs', shape: 'half', tone: 'warn' },
      subject: (
        <Link to="/configuration" className="link">
          Configuration
        </Link>
      ),
      words: `The processes have ${hashes.size} configurations: the same call may be served in different ways.`,
      unserved: [],
    })
  if (configuration.problems.length > 0)
    causes.push({
      id: 'configuration',
      look: { word: 'Not taken', shape: 'triangle', tone: 'warn' },
      subject: (
        <Link to="/configuration" className="link">
          Configuration
        </Link>
      ),
      words: `The last reload was refused: ${configuration.problems[0]?.message}`,
      unserved: [],
      consequence: 'The configuration of before is in use.',
    })
  return causes
}
