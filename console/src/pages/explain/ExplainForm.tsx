import { type FormEvent, useId, useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { textOf } from '../../ui/form.ts'
import { Combobox } from '../../ui/Select.tsx'
import { type Explainable, meantBy } from './explainable.ts'
import type { ExplainSearch } from './search.ts'

/** The request to explain: a key, a dialect and a model, or a whole body. */
export function ExplainForm({
  asked: { keyId, dialect, model, previous, body, operation, id },
  keys,
  models,
  explainable,
  onAsk,
  onRefresh,
}: {
  readonly asked: Omit<ExplainSearch, 'call'> & { readonly body?: string | undefined }
  /** Names that the fields propose. */
  readonly keys: readonly string[]
  readonly models: readonly string[]
  readonly explainable: readonly Explainable[]
  readonly onAsk: (search: ExplainSearch, body: string | undefined) => void
  /** Asks the same again. */
  readonly onRefresh: () => void
}) {
  const bodyField = useId()
  // The operations offered belong to the dialect that is typed.
  const [typed, setTyped] = useState({ dialect, operation })
  const meant = meantBy(explainable, typed)
  const ofDialect = explainable.filter((one) => one.dialect === typed.dialect)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const names = ['keyId', 'dialect', 'model', 'previous', 'operation', 'id'] as const
    const entries = names.map((name) => [name, textOf(form, name) || undefined] as const)
    const content = textOf(form, 'body') || undefined
    const isSame =
      content === body &&
      entries.every(
        ([name, value]) => value === { keyId, dialect, model, previous, operation, id }[name],
      )
    if (isSame) onRefresh()
    else onAsk(Object.fromEntries(entries), content)
  }
  return (
    <form
      className="form"
      onSubmit={submit}
      onChange={({ currentTarget }) => {
        const form = new FormData(currentTarget)
        setTyped({
          dialect: textOf(form, 'dialect'),
          operation: textOf(form, 'operation') || undefined,
        })
      }}
    >
      <Combobox label="Key" name="keyId" required data-search options={keys} defaultValue={keyId} />
      <div className="form-pair">
        <Combobox
          label="Dialect"
          name="dialect"
          required
          options={[...new Set(explainable.map((one) => one.dialect))]}
          defaultValue={dialect}
        />
        <Combobox
          label="Operation"
          name="operation"
          placeholder="what creates"
          options={ofDialect.map((one) => one.operation)}
          defaultValue={operation}
          hint={meant?.summary}
        />
      </div>
      {(meant?.needsId || id !== undefined) && (
        <Field label="Id in its path" name="id" isMono required defaultValue={id} />
      )}
      <Combobox label="Model" name="model" options={models} defaultValue={model} />
      <Field
        label="It continues the response"
        name="previous"
        isMono
        placeholder="none"
        defaultValue={previous}
      />
      <div className="field">
        <label htmlFor={bodyField}>Body</label>
        <textarea
          id={bodyField}
          name="body"
          className="input mono"
          rows={8}
          spellCheck={false}
          placeholder="The least one of the dialect"
          defaultValue={body}
        />
      </div>
      <div className="dialog-acts">
        <Button type="submit" kind="main">
          Explain
        </Button>
      </div>
    </form>
  )
}
