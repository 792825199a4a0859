import { type Plugin, isAsyncIterable } from 'graphql-yoga'

import type { AdminContext } from '../context.ts'

/**
 * Says in `extensions` what a result lacks: `unanswered` names the processes whose part is missing, `incomplete`
 * those that have more accounts in trouble, or more exclusions of an account, than they say, `stale` the fields that
 * show what was known last, and `unrecorded` the acts whose results are not in the audit log.
 */
export const saysWhatLacks: Plugin = {
  onExecute: ({ args }) => ({
    onExecuteDone({ result, setResult }) {
      if (isAsyncIterable(result)) return
      const lacks = lacksOf(args.contextValue as unknown as AdminContext)
      if (lacks.length === 0) return
      setResult({ ...result, extensions: { ...result.extensions, ...Object.fromEntries(lacks) } })
    },
  }),
}

function lacksOf({ unanswered, incomplete, stale, unrecorded }: AdminContext) {
  return Object.entries({
    unanswered: [...unanswered],
    incomplete: [...incomplete],
    stale: [...stale],
    unrecorded,
  }).filter(([, names]) => names.length > 0)
}
