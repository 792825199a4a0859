import { useState } from 'react'

import { act } from '../../api/acts.ts'
import { duration } from '../../format/durations.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RefusalNotice } from '../../ui/ActDialog.tsx'
import { TestAccount, type TestAccountMutation } from './operations.generated.ts'
import type { Refusal } from '../../api/acts.ts'

type Tested = Extract<TestAccountMutation['testAccount'], { __typename: 'TestAccountSuccess' }>

/** What a test of the account has shown. */
export type TestEnd = { readonly tested: Tested } | { readonly refusal: Refusal }

/** Makes a free call to the account with its credential. */
export function TestButton({
  id,
  whyNot,
  onEnd,
}: {
  readonly id: string
  readonly whyNot: string | undefined
  readonly onEnd: (end: TestEnd | undefined) => void
}) {
  const [isBusy, setIsBusy] = useState(false)
  async function test() {
    setIsBusy(true)
    onEnd(undefined)
    const end = await act(TestAccount, { input: { id } })
    setIsBusy(false)
    onEnd(end.isDone ? { tested: end.result } : { refusal: end.refusal })
  }
  return (
    <Button onClick={() => void test()} disabled={isBusy} whyNot={whyNot}>
      {isBusy ? 'Testing' : 'Test'}
    </Button>
  )
}

/** What the test has shown. */
export function TestNotice({ end }: { readonly end: TestEnd }) {
  if ('refusal' in end) return <RefusalNotice refusal={end.refusal} />
  const { outcome, why, durationMs, dialect } = end.tested
  const words = {
    ACCEPTED: 'The credential is accepted.',
    REFUSED: 'The credential is refused.',
    INCONCLUSIVE: 'The test shows nothing about the credential.',
    GONE: 'The account was changed meanwhile.',
  }[outcome]
  return (
    <Notice tone={outcome === 'ACCEPTED' ? 'none' : outcome === 'REFUSED' ? 'bad' : 'warn'}>
      {words} {why} A free call{dialect && ` in ${dialect}`} took {duration(durationMs)}.
    </Notice>
  )
}
