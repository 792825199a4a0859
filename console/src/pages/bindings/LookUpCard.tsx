import { type FormEvent, useState } from 'react'

import { act } from '../../api/acts.ts'
import { useAnswer } from '../../api/query.ts'
import { useMay, useWhyNot } from '../../api/session.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { ActTitle } from '../../ui/ActTitle.tsx'
import { Bars } from '../../ui/Bars.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { textOf } from '../../ui/form.ts'
import { AnswerNotices } from '../../ui/Notice.tsx'
import './bindings.css'
import { FoundBinding } from './FoundBinding.tsx'
import { ForgetBinding, LookUpBinding } from './operations.generated.ts'
import type { BindingsSearch } from './search.ts'

/** Looks up an id as a call of its key does. An admin need not know the key. */
export function LookUpCard({
  search: { id, keyId },
  onShow,
  onDone,
}: {
  readonly search: BindingsSearch
  readonly onShow: (change: BindingsSearch) => void
  readonly onDone: () => void
}) {
  const [isForgetting, setIsForgetting] = useState(false)
  const whyNot = useWhyNot('forgetBinding')
  const mayLookEverywhere = useMay('admin')
  const isAsked = id !== undefined && (keyId !== undefined || mayLookEverywhere)
  const page = useAnswer(LookUpBinding, { id: id ?? '', keyId: keyId ?? null }, { isOn: isAsked })
  const found = isAsked && !page.isFormer ? page.data?.binding : undefined
  const owner = keyId ?? found?.binding?.keyId
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onShow({ id: textOf(form, 'id') || undefined, keyId: textOf(form, 'keyId') || undefined })
  }
  return (
    <Card title="Look up an id">
      <form key={`${id} ${keyId}`} className="look-up" onSubmit={submit}>
        <Field
          label="Id"
          name="id"
          isMono
          required
          data-search
          placeholder="resp_ video_ msg_ conv_"
          defaultValue={id}
        />
        <Field
          label="Key"
          name="keyId"
          isMono
          required={!mayLookEverywhere}
          placeholder={mayLookEverywhere ? 'any' : undefined}
          defaultValue={keyId}
        />
        <Button type="submit" kind="main">
          Look up
        </Button>
      </form>
      {isAsked && <AnswerNotices page={page} names={{ binding: 'the binding' }} />}
      {isAsked && (page.isLoading || page.isFormer) && <Bars lines={4} />}
      {found && (
        <FoundBinding
          found={found}
          acts={
            found.state === 'FOUND' &&
            owner && (
              <Button kind="danger" isSmall whyNot={whyNot} onClick={() => setIsForgetting(true)}>
                Forget
              </Button>
            )
          }
        />
      )}
      {isForgetting && isAsked && found && owner && (
        <ActDialog
          title={<ActTitle verb="Forget" id={id} />}
          verb="Forget"
          isOfRecord={false}
          isDangerous
          reason="required"
          effect="From now on its id is unknown, with the content if the gateway stores it. The account keeps what it has."
          run={(_, reason = '') =>
            act(ForgetBinding, { input: { id, keyId: owner, kind: found.kind ?? '*', reason } })
          }
          done={() => ({ text: `${id} is forgotten.`, target: id })}
          onDone={() => {
            page.refresh()
            onDone()
          }}
          onClose={() => setIsForgetting(false)}
        />
      )}
    </Card>
  )
}
