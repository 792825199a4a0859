import { type Plugin, isAsyncIterable } from 'graphql-yoga'

import { type AdminContext, lacksOf } from '../context.ts'

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
      if (Object.keys(lacks).length === 0) return
      setResult({ ...result, extensions: { ...result.extensions, ...lacks } })
    },
  }),
}
