import { act } from '../../api/acts.ts'
import { KeyFields, readKeyFields } from '../../keys/KeyFields.tsx'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { optionalText, textOf } from '../../ui/form.ts'
import { CreateKey } from './operations.generated.ts'

/** Issues a key. Its secret is in the answer only. */
export function AddKey({
  onClose,
  onSecret,
}: {
  readonly onClose: () => void
  readonly onSecret: (made: { readonly id: string; readonly secret: string }) => void
}) {
  return (
    <ActDialog
      title="Create a key"
      verb="Create"
      isWide
      effect="All processes accept it within two seconds."
      onClose={onClose}
      run={(form, reason) =>
        act(CreateKey, {
          input: {
            id: textOf(form, 'id'),
            ...readKeyFields(form),
            ...optionalText('reason', reason),
          },
        })
      }
      onDone={({ key, secret }) => onSecret({ id: key?.id ?? '', secret })}
      done={({ key }) => ({
        text: `The key ${key?.id ?? ''} is created.`,
        ...(key && { target: key.id }),
      })}
    >
      <Field
        label="Id"
        name="id"
        required
        isMono
        hint="What clients store belongs to it. It stays."
      />
      <KeyFields />
    </ActDialog>
  )
}
