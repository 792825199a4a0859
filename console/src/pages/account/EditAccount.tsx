import { useState } from 'react'

import { AccountFields } from '../../accounts/AccountFields.tsx'
import { modelsText, readAccountFields } from '../../accounts/account-input.ts'
import { act } from '../../api/acts.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { textOf } from '../../ui/form.ts'
import type { AccountActProps } from './acts.tsx'
import { UpdateAccount, type UpdateAccountMutationVariables } from './operations.generated.ts'
import type { OneAccount } from './types.ts'

/** Changes an account of the store. The page sends changed fields only. */
export function EditAccount({ account: present, onClose, onDone }: AccountActProps) {
  // What the form began with: the page may learn of another change meanwhile.
  const [account] = useState(present)
  const { id, models, modelMap, transport } = account
  const start = {
    ...account,
    models: modelsText(models, modelMap),
    maxConcurrent: transport?.maxConcurrent,
  }
  return (
    <ActDialog
      title={
        <>
          Change <span className="mono">{id}</span>
        </>
      }
      verb="Change"
      isWide
      of={account}
      effect="All processes have it within two seconds. Another provider or base URL needs the credential again."
      onClose={onClose}
      onDone={onDone}
      run={(form, reason, expected) => {
        const input = changesOf(account, start, form)
        return act(UpdateAccount, {
          input: { ...input, ...expected, ...(reason !== undefined && { reason }) },
        })
      }}
      done={() => ({ text: `${id} is changed.`, target: id })}
    >
      <AccountFields start={start} credentialHint="Empty: it stays as it is." />
    </ActDialog>
  )
}

type UpdateInput = UpdateAccountMutationVariables['input']

function changesOf(
  { id }: OneAccount,
  start: Readonly<Record<string, unknown>>,
  form: FormData,
): UpdateInput {
  const { models, modelMap, ...fields } = readAccountFields(form)
  const changed = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(start[name] ?? null),
  )
  const areModelsNew = textOf(form, 'models') !== start['models']
  const credential = textOf(form, 'credential')
  return {
    id,
    ...Object.fromEntries(changed),
    ...(areModelsNew && models && { models: [...models] }),
    ...(areModelsNew && modelMap && { modelMap }),
    ...(credential !== '' && { credential }),
  }
}
