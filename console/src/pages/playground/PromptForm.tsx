import { type FormEvent, useId } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { textOf } from '../../ui/form.ts'
import { Combobox } from '../../ui/Select.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { type PlaygroundDialect, type Prompt, playgroundDialects } from './dialects.ts'

const prompts = {
  text: 'Say hello in three languages.',
  images: 'A lighthouse in fog, as a woodcut.',
  video: 'A river delta from above, at sunrise.',
} as const

/** The prompt, and the dialect in which it is sent. */
export function PromptForm({
  dialect,
  models,
  whyNot,
  isRunning,
  onDialect,
  onCall,
  onStop,
}: {
  readonly dialect: PlaygroundDialect
  readonly models: readonly string[]
  readonly whyNot: string | undefined
  readonly isRunning: boolean
  readonly onDialect: (id: string) => void
  readonly onCall: (prompt: Prompt) => void
  readonly onStop: () => void
}) {
  const system = useId()
  const text = useId()
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
    })
  }
  const { makes } = dialect
  return (
    <form className="form" onSubmit={submit}>
      <Switch
        label="Dialect"
        value={dialect.id}
        options={playgroundDialects.map(({ id, name }) => ({ value: id, name }))}
        onChange={onDialect}
      />
      <Combobox label="Model" name="model" required options={models} />
      {makes === 'text' && (
        <div className="field">
          <label htmlFor={system}>Instructions</label>
          <textarea id={system} name="system" className="input" rows={2} placeholder="none" />
        </div>
      )}
      <div className="field">
        <label htmlFor={text}>{makes === 'text' ? 'Message' : 'Prompt'}</label>
        <textarea
          key={makes}
          id={text}
          name="text"
          className="input"
          rows={4}
          required
          defaultValue={prompts[makes]}
        />
      </div>
      {makes === 'text' ? (
        <div className="form-pair" key="text">
          <Field
            label="Output tokens, at most"
            name="maxTokens"
            type="number"
            min="1"
            required
            defaultValue="1024"
          />
          <label className="check playground-stream">
            <input type="checkbox" name="stream" defaultChecked />
            <span>Streamed</span>
          </label>
        </div>
      ) : (
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
      )}
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
