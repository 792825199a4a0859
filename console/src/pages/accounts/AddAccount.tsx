import { AccountFields } from '../../accounts/AccountFields.tsx'
import { readAccountFields } from '../../accounts/account-input.ts'
import { act } from '../../api/acts.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { textOf } from '../../ui/form.ts'
import { CreateAccount } from './operations.generated.ts'

/** Adds an account to the store. */
export function AddAccount({
  onClose,
  onDone,
}: {
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  return (
    <ActDialog
      title="Add an account"
      verb="Add"
      isWide
      effect="It gets calls in all processes within two seconds."
      onClose={onClose}
      onDone={onDone}
      run={(form, reason) => {
        const { models, ...fields } = readAccountFields(form)
        const credential = textOf(form, 'credential')
        return act(CreateAccount, {
          input: {
            id: textOf(form, 'id'),
            ...fields,
            ...(models && { models: [...models] }),
            ...(credential !== '' && { credential }),
            ...(reason !== undefined && { reason }),
          },
        })
      }}
      done={({ account }) => ({
        text: `${account?.id ?? 'The account'} is added.`,
        ...(account && { target: account.id }),
      })}
    >
      <Field label="Id" name="id" required isMono hint="A short name, which stays." />
      <AccountFields />
    </ActDialog>
  )
}
