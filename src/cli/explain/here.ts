import { explainInput } from '../../admin/explain.ts'
import type { Explanation } from '../../attempt/explain.ts'
import { GatewayError } from '../../contract/errors.ts'
import { ConfigurationError } from '../../contract/problems.ts'
import type { Chance } from '../../route/choose.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import { CommandError, type Invocation } from '../command.ts'
import { useLocalGateway } from '../local-gateway.ts'
import { idleServices, planGateway } from '../plan.ts'
import type { CandidateNode, ExplanationNode } from '../remote/nodes.ts'
import { readForStore } from '../use-store.ts'
import type { ExplainedInput } from './input.ts'

/**
 * Explains a request from the configuration and the store, by the code of a call. Rejects with
 * `ConfigurationError` for a configuration with problems, and with `StoreUnavailable`: accounts could be missing.
 */
export async function explainHere(
  invocation: Invocation,
  input: ExplainedInput,
): Promise<ExplanationNode> {
  const configuration = await readForStore(invocation)
  const { problems } = await planGateway(configuration, idleServices())
  if (problems.length > 0) throw new ConfigurationError(problems)
  const { settings } = configuration
  return await useLocalGateway(configuration, invocation, async (running) => {
    const { aliases, storedAccounts, accountStates } = running
    if ([aliases, storedAccounts, accountStates].some(({ isStale }) => isStale))
      throw new StoreUnavailable(
        'The store does not answer: its accounts and aliases are not known.',
      )
    try {
      return shown(await explainInput({ running, settings: () => settings }, input))
    } catch (cause) {
      if (GatewayError.isInstance(cause)) throw new CommandError(cause.message, { cause })
      throw cause
    }
  })
}

/** An explanation as the admin API shows it, but with all accounts. */
function shown({
  operation,
  model,
  rule,
  isPinned: pinned,
  moves,
  candidates,
  excluded,
  chosen,
  losses,
  answer,
}: Explanation): ExplanationNode {
  const listed = candidates.find(({ candidate }) => candidate.account === chosen?.account)
  return {
    processId: null,
    operation: operation ?? null,
    resolvedModel: model?.name || null,
    rule: rule ?? null,
    pinned,
    moves,
    candidates: candidates.map(candidateNode),
    candidatesOmitted: 0,
    excluded: excluded.map(({ account, by, reason, field, status, untilMs }) => ({
      accountId: account,
      by,
      reason,
      field: field ?? null,
      status: status ?? null,
      until: untilMs === undefined ? null : new Date(untilMs).toISOString(),
    })),
    excludedOmitted: 0,
    // The preparation may have replaced the candidate by another dialect of the same account.
    chosen: chosen
      ? candidateNode({ rank: 0, why: undefined, chance: 1, ...listed, candidate: chosen })
      : null,
    losses: losses.map(({ field, reason }) => ({ field, reason })),
    answer: answer
      ? {
          status: answer.status,
          code: answer.code ?? null,
          message: answer.message ?? null,
          param: answer.param ?? null,
        }
      : null,
  }
}

function candidateNode({ candidate, chance, why }: Chance): CandidateNode {
  const { account, native, dialect, upstreamModel } = candidate
  return {
    accountId: account.id,
    native,
    dialect: dialect.id,
    upstreamModel: upstreamModel || null,
    chance,
    why: why ?? null,
    elsewhere: [],
  }
}
