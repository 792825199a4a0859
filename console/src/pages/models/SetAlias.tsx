import { useState } from 'react'

import { act } from '../../api/acts.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { optionalText, textOf, wordsIn } from '../../ui/form.ts'
import { Select } from '../../ui/Select.tsx'
import { type Alias, fallbackKinds } from './model.ts'
import { strategies } from './model-columns.tsx'
import {
  RemoveAlias as RemoveAliasMutation,
  SetAlias as SetAliasMutation,
} from './operations.generated.ts'

interface AliasActProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

type Strategy = NonNullable<Alias['strategy']>
type Kind = NonNullable<Alias['fallbacks']>[number]['on'][number]

const kinds = Object.keys(fallbackKinds) as readonly Kind[]

/** Sets an alias of the store: its model, how an account is chosen, and what stands in for it. */
export function SetAlias({
  alias,
  ...rest
}: AliasActProps & { readonly alias?: Alias | undefined }) {
  const [strategy, setStrategy] = useState<Strategy | ''>(alias?.strategy ?? '')
  const former = alias?.fallbacks?.[0]
  // Models that stand in for different reasons keep theirs.
  const isMixed = alias?.fallbacks?.some(({ on }) => on.join() !== former?.on.join()) ?? false
  const ownOf = (name: string) =>
    isMixed ? alias?.fallbacks?.find(({ model }) => model === name)?.on : undefined
  return (
    <ActDialog
      {...rest}
      of={alias}
      isWide
      title={alias ? `Change ${alias.name}` : 'Set an alias'}
      verb={alias ? 'Change' : 'Set'}
      effect="Every process has it within two seconds. Keys that may use the alias may use its model by it."
      run={(form, reason, expected) => {
        const next = wordsIn(textOf(form, 'fallbacks'))
        const on = kinds.filter((kind) => form.get(kind) === 'on')
        return act(SetAliasMutation, {
          input: {
            name: alias?.name ?? textOf(form, 'name'),
            model: textOf(form, 'model'),
            strategy: strategy === '' ? null : strategy,
            fallbacks:
              next.length === 0 ? null : next.map((model) => ({ model, on: ownOf(model) ?? on })),
            ...expected,
            ...optionalText('reason', reason),
          },
        })
      }}
      done={() => ({
        text: 'The alias is set.',
        ...(alias && { target: alias.name }),
      })}
    >
      {!alias && <Field label="Name" name="name" required isMono hint="As clients write it." />}
      <Field
        label="Model"
        name="model"
        required
        isMono
        defaultValue={alias?.model}
        hint="A model of an account, or another alias."
      />
      <Select
        label="The account is chosen by"
        value={strategy}
        options={[
          { value: '', name: 'priority and weight' },
          ...Object.entries(strategies).map(([value, name]) => ({ value, name })),
        ]}
        onChange={(value) => setStrategy(value as Strategy | '')}
      />
      <Field
        label="Fallbacks"
        name="fallbacks"
        isMono
        placeholder="none"
        defaultValue={alias?.fallbacks?.map(({ model }) => model).join(' ')}
        hint="Models that stand in for it, in this order, separated by spaces."
      />
      <fieldset className="stack-small">
        <legend className="secondary">
          {isMixed ? 'New ones stand in for the model if' : 'They stand in for the model if'}
        </legend>
        {kinds.map((kind) => (
          <label key={kind} className="check">
            <input
              type="checkbox"
              name={kind}
              defaultChecked={former ? former.on.includes(kind) : kind === 'UNAVAILABLE'}
            />
            <span>{fallbackKinds[kind]}</span>
          </label>
        ))}
      </fieldset>
    </ActDialog>
  )
}

/** Removes an alias of the store. */
export function RemoveAlias({ alias, ...rest }: AliasActProps & { readonly alias: Alias }) {
  const { name } = alias
  return (
    <ActDialog
      {...rest}
      of={alias}
      title={`Remove ${name}`}
      verb="Remove"
      isDangerous
      reason="required"
      effect="Clients that name it get 404, unless the file or an account has a model of this name."
      run={(_, reason = '', expected) =>
        act(RemoveAliasMutation, { input: { name, reason, ...expected } })
      }
      done={() => ({ text: `The alias ${name} is removed.`, target: name })}
    />
  )
}
