import { Field } from '../ui/Field.tsx'
import { textOf, wordsIn } from '../ui/form.ts'

/** The settings of a key that a form has. */
interface KeyValues {
  readonly models?: readonly string[] | null
  readonly team?: string | null
  readonly expiresAt?: string | null
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  readonly explain: boolean
}

/** The fields of a key, empty for a new one. */
export function KeyFields({ values }: { readonly values?: KeyValues }) {
  const labels = values?.labels.map(({ name, value }) => `${name}=${value}`).join(' ')
  return (
    <>
      <Field
        label="Models"
        name="models"
        isMono
        placeholder="all"
        defaultValue={values?.models?.join(' ')}
        hint="Names and patterns, such as gpt-*, separated by spaces. Empty: all models."
      />
      <div className="form-pair">
        <Field
          label="Team"
          name="team"
          isMono
          placeholder="none"
          defaultValue={values?.team ?? ''}
        />
        <Field
          label="Expires"
          name="expiresAt"
          type="datetime-local"
          step="1"
          defaultValue={values?.expiresAt ? localTime(values.expiresAt) : ''}
          hint="Empty: never."
        />
      </div>
      <Field
        label="Labels"
        name="labels"
        isMono
        placeholder="env=prod owner=search"
        defaultValue={labels}
        hint="Words for operators: name=value, separated by spaces."
      />
      <label className="check">
        <input type="checkbox" name="explain" defaultChecked={values?.explain ?? false} />
        <span>Its callers may see how calls are routed</span>
      </label>
    </>
  )
}

/** Reads `KeyFields`; null: none. */
export function readKeyFields(form: FormData) {
  const models = wordsIn(textOf(form, 'models'))
  const expiresAt = textOf(form, 'expiresAt')
  return {
    models: models.length > 0 ? models : null,
    team: textOf(form, 'team') || null,
    expiresAt: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
    labels: wordsIn(textOf(form, 'labels')).map((word) => {
      const [name = '', ...value] = word.split('=')
      return { name, value: value.join('=') }
    }),
    explain: form.get('explain') === 'on',
  }
}

/** A moment as a field of the browser takes it. */
function localTime(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
