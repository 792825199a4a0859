import type { Candidate } from '../../src/contract/candidate.ts'
import type { OutcomeInput } from '../../src/contract/plugin.ts'
import type { AccountCheck, RefusalSubject } from '../../src/contract/refusal.ts'
import type { Log } from '../../src/lib/log.ts'
import type { AccountState } from './account-state.ts'
import { namesModel } from './names-model.ts'
import type { Exclusion } from './standing.ts'

/** Excludes accounts and models, brings them back, and logs both. */
interface Exclusions {
  /** Records a refusal of a call for what it is about. */
  refuse(state: AccountState, input: OutcomeInput): void
  /** A check has confirmed the refusals: excludes the account until a check succeeds. */
  confirm(state: AccountState, candidate: Candidate, status: number): void
  /** Checks an excluded account whose wait is over, in the background. */
  recheck(state: AccountState, candidate: Candidate): void
  /** Records a success of a call. */
  succeed(state: AccountState, candidate: Candidate): void
  /** An operator ends the account's exclusion: the next calls show whether it works. */
  readmit(state: AccountState): void
  /** Ends all timers. */
  close(): void
}

interface ExclusionOptions {
  readonly log: Log
  readonly now: () => number
  readonly check: (candidate: Candidate) => Promise<AccountCheck>
}

/** Creates the exclusions of a gateway's accounts. */
export function createExclusions({ log, now, check }: ExclusionOptions): Exclusions {
  const waiting = new Set<AccountState>()
  let isClosed = false

  function schedule(state: AccountState, candidate: Candidate, until: number): void {
    waiting.add(state)
    state.timer = setTimeout(() => recheck(state, candidate), until - now()).unref()
  }

  function unschedule(state: AccountState): void {
    clearTimeout(state.timer)
    state.timer = undefined
    waiting.delete(state)
  }

  function confirm(state: AccountState, candidate: Candidate, status: number): void {
    // Concurrent calls may be refused together.
    if (state.isOut || isClosed) return
    state.isOut = true
    const exclusion = state.whole.exclude({ status, isConfirmed: true }, now())
    logOut(candidate, exclusion)
    schedule(state, candidate, exclusion.until)
  }

  function recheck(state: AccountState, candidate: Candidate): void {
    // Without a timer a check is under way.
    if (!state.timer) return
    unschedule(state)
    void state.checks
      .run(() => check(candidate), now())
      .then((result) => {
        // An operator may have readmitted the account during the check.
        if (isClosed || result === 'gone' || !state.isOut) return
        const again = result === 'refused' && state.whole.excludeAgain(now())
        if (again) schedule(state, candidate, again.until)
        else comeBack(state, candidate, result)
      })
  }

  function comeBack(state: AccountState, candidate: Candidate, result: AccountCheck): void {
    state.isOut = false
    if (result === 'accepted') {
      state.whole.restore()
      log.info('account is back: the upstream accepts it again', about(candidate))
    } else {
      state.whole.readmit()
      log.info('account is tried again: it cannot be checked now', about(candidate))
    }
  }

  function readmit(state: AccountState): void {
    unschedule(state)
    state.isOut = false
    state.whole.restore()
  }

  function refuse(state: AccountState, { exchange, candidate, outcome }: OutcomeInput): void {
    const { about: subject, httpStatus: status = 403 } = outcome
    const { keyId } = exchange.caller
    const { upstreamModel } = candidate
    if (subject === 'credential' || subject === 'credit') {
      const exclusion = state.whole.refuse({ keyId, status }, now())
      if (exclusion) logOut(candidate, exclusion)
    } else if (isAboutModel(subject) && upstreamModel !== '') {
      const model = state.model(upstreamModel)
      if (model.exclusionOf(keyId, now())) return
      const isProven =
        subject === 'model' &&
        !state.answered.refuse(upstreamModel, keyId) &&
        namesModel(outcome, upstreamModel)
      const exclusion = isProven
        ? model.exclude({ status }, now())
        : model.refuse({ keyId, status }, now())
      if (exclusion) logOut(candidate, exclusion, upstreamModel)
    }
  }

  function succeed(state: AccountState, candidate: Candidate): void {
    const { upstreamModel } = candidate
    if (state.whole.succeed(now())) {
      log.info('account is back: the upstream accepts its calls again', about(candidate))
    }
    if (state.knownModel(upstreamModel)?.succeed(now())) {
      const fields = { ...about(candidate), model: upstreamModel }
      log.info('model is back: the upstream accepts its calls again', fields)
    }
  }

  function logOut(candidate: Candidate, exclusion: Exclusion, model?: string): void {
    const { status, until, keyId, isConfirmed } = exclusion
    log.error(messageOf(exclusion, model), {
      ...about(candidate),
      status,
      ...(model !== undefined && { model }),
      ...(keyId !== undefined && { key: keyId }),
      evidence: isConfirmed ? 'a check by the gateway' : 'refused calls',
      again_ms: Math.round(until - now()),
      fix:
        model === undefined
          ? 'check its apiKey and credit; the gateway tries it again by itself'
          : 'check the permissions of the account; the gateway tries the model again by itself',
    })
  }

  return {
    refuse,
    confirm,
    recheck,
    succeed,
    readmit,
    close() {
      isClosed = true
      for (const state of waiting) unschedule(state)
    },
  }
}

function isAboutModel(subject: RefusalSubject | undefined): boolean {
  return subject === 'model' || subject === 'unclear' || subject === 'request-or-model'
}

function messageOf({ keyId }: Exclusion, model: string | undefined): string {
  const subject = model === undefined ? 'account excluded' : 'model of an account excluded'
  return `${subject}${keyId === undefined ? '' : ' for one key'}: the upstream refuses it`
}

function about({ account: { id, provider } }: Candidate): { account: string; provider: string } {
  return { account: id, provider }
}
