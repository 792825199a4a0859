import { type FormEvent, useId, useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { textOf } from '../../ui/form.ts'
import { Combobox, Select } from '../../ui/Select.tsx'
import type { Makes, PlaygroundDialect, Prompt } from './dialect.ts'
import { forms } from './forms.ts'

/** The prompt, and the dialect in which it is sent. */
export function PromptForm({
  dialect,
  dialects,
  models,
  whyNot,
  isRunning,
  onDialect,
  onCall,
  onStop,
}: {
  readonly dialect: PlaygroundDialect
  /** The dialects that the form offers. */
  readonly dialects: readonly PlaygroundDialect[]
  readonly models: readonly string[]
  readonly whyNot: string | undefined
  readonly isRunning: boolean
  readonly onDialect: (id: string) => void
  readonly onCall: (prompt: Prompt) => void
  readonly onStop: () => void
}) {
  const system = useId()
  const text = useId()
  const [format, setFormat] = useState('mp3')
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (whyNot !== undefined || isRunning) return
    const form = new FormData(event.currentTarget)
    onCall({
      model: textOf(form, 'model'),
      system: textOf(form, 'system'),
      text: textOf(form, 'text'),
      maxTokens: Number(textOf(form, 'maxTokens')),
      isStreamed: form.get('stream') === 'on',
      size: textOf(form, 'size'),
      seconds: textOf(form, 'seconds'),
      query: textOf(form, 'query'),
      dimensions: textOf(form, 'dimensions'),
      voice: textOf(form, 'voice'),
      format,
    })
  }
  const { makes, usualModel, last } = dialect
  const { label, prompt, hasInstructions, hasTokens } = forms[makes]
  return (
    <form className="form" onSubmit={submit}>
      <Select
        label="Dialect"
        value={dialect.id}
        options={dialects.map(({ id, name }) => ({ value: id, name }))}
        onChange={onDialect}
      />
      <Combobox
        label="Model"
        name="model"
        required={usualModel === undefined}
        placeholder={usualModel}
        options={models}
      />
      {hasInstructions && (
        <div className="field">
          <label htmlFor={system}>Instructions</label>
          <textarea id={system} name="system" className="input" rows={2} placeholder="none" />
        </div>
      )}
      {makes === 'ranks' && (
        <Field label="Query" name="query" required defaultValue="routing of requests" />
      )}
      <div className="field">
        <label htmlFor={text}>{label}</label>
        <textarea
          key={makes}
          id={text}
          name="text"
          className="input"
          rows={4}
          required
          defaultValue={prompt}
        />
      </div>
      {hasTokens && (
        <div className="form-pair">
          <Field
            label="Output tokens, at most"
            name="maxTokens"
            type="number"
            min="1"
            required
            defaultValue="1024"
          />
          {last && (
            <label className="check playground-stream">
              <input type="checkbox" name="stream" defaultChecked />
              <span>Streamed</span>
            </label>
          )}
        </div>
      )}
      <MoreFields makes={makes} format={format} onFormat={setFormat} />
      <div className="dialog-acts">
        {isRunning ? (
          <Button onClick={onStop}>Stop</Button>
        ) : (
          <>
            {whyNot !== undefined && <span className="secondary">{whyNot}</span>}
            <Button type="submit" kind="main" whyNot={whyNot}>
              Call
            </Button>
          </>
        )}
      </div>
    </form>
  )
}

const formats = ['mp3', 'wav', 'opus', 'aac', 'flac', 'pcm']

/** The fields of calls whose reply is no text. */
function MoreFields({
  makes,
  format,
  onFormat,
}: {
  readonly makes: Makes
  readonly format: string
  readonly onFormat: (format: string) => void
}) {
  if (makes === 'vectors')
    return (
      <Field
        label="Dimensions"
        name="dimensions"
        type="number"
        min="1"
        hint="Empty: as many as the model has."
      />
    )
  if (makes === 'audio')
    return (
      <div className="form-pair">
        <Field label="Voice" name="voice" isMono required defaultValue="alloy" />
        <Select label="Format" value={format} options={formats} onChange={onFormat} />
      </div>
    )
  if (makes !== 'images' && makes !== 'video') return null
  return (
    <div className="form-pair" key={makes}>
      <Field
        label="Size"
        name="size"
        isMono
        placeholder={makes === 'images' ? '1024x1024' : '1280x720'}
        hint="Empty: the usual one of the model."
      />
      {makes === 'video' && <Field label="Seconds" name="seconds" isMono placeholder="4" />}
    </div>
  )
}
