import { type FormEvent, useId } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { textOf } from '../../ui/form.ts'
import { Combobox } from '../../ui/Select.tsx'
import type { ExplainSearch } from './search.ts'

/** The request to explain: a key, a dialect and a model, or a whole body. */
export function ExplainForm({
  asked: { keyId, dialect, model, previous, body, operation },
  keys,
  models,
  dialects,
  onAsk,
  onRefresh,
}: {
  readonly asked: Omit<ExplainSearch, 'call'> & { readonly body?: string | undefined }
  /** Names that the fields propose. */
  readonly keys: readonly string[]
  readonly models: readonly string[]
  readonly dialects: readonly string[]
  readonly onAsk: (search: ExplainSearch, body: string | undefined) => void
  /** Asks the same again. */
  readonly onRefresh: () => void
}) {
  const id = useId()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const names = ['keyId', 'dialect', 'model', 'previous', 'operation'] as const
    const entries = names.map((name) => [name, textOf(form, name) || undefined] as const)
    const content = textOf(form, 'body') || undefined
    const isSame =
      content === body &&
      entries.every(
        ([name, value]) => value === { keyId, dialect, model, previous, operation }[name],
      )
    if (isSame) onRefresh()
    else onAsk(Object.fromEntries(entries), content)
  }
  return (
    <form className="form" onSubmit={submit}>
      <Combobox label="Key" name="keyId" required data-search options={keys} defaultValue={keyId} />
      <div className="form-pair">
        <Combobox
          label="Dialect"
          name="dialect"
          required
          options={dialects}
          defaultValue={dialect}
        />
        <Field
          label="Operation"
          name="operation"
          isMono
          placeholder="what creates"
          defaultValue={operation}
        />
      </div>
      <Combobox label="Model" name="model" options={models} defaultValue={model} />
      <Field
        label="It continues the response"
        name="previous"
        isMono
        placeholder="none"
        defaultValue={previous}
      />
      <div className="field">
        <label htmlFor={id}>Body</label>
        <textarea
          id={id}
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
