import { act } from '../../api/acts.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { optionalText, textOf, wordsIn } from '../../ui/form.ts'
import { CreateTeam, DeleteTeam, type OneTeamQuery, UpdateTeam } from './operations.generated.ts'

/** A team as its page has it. */
export type OneTeam = NonNullable<OneTeamQuery['team']>

/** Properties of the dialogs of acts. */
interface TeamActProps {
  readonly team: OneTeam
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Creates a team. */
export function AddTeam(props: Omit<TeamActProps, 'team'>) {
  return (
    <ActDialog
      {...props}
      title="Create a team"
      verb="Create"
      effect="Keys that name it share its limits and its models."
      run={(form, reason) =>
        act(CreateTeam, {
          input: {
            id: textOf(form, 'id'),
            ...readFields(form),
            ...optionalText('reason', reason),
          },
        })
      }
      done={() => ({ text: 'The team is created.' })}
    >
      <Field label="Id" name="id" required isMono hint="Keys name it. It stays." />
      <Fields />
    </ActDialog>
  )
}

/** Changes the name and the models of a team. */
export function EditTeam({ team, ...rest }: TeamActProps) {
  const { id } = team
  return (
    <ActDialog
      {...rest}
      of={team}
      title={`Change ${id}`}
      verb="Change"
      effect="All processes have it within two seconds."
      run={(form, reason, expected) =>
        act(UpdateTeam, {
          input: {
            id,
            ...readFields(form),
            ...expected,
            ...optionalText('reason', reason),
          },
        })
      }
      done={() => ({ text: `${id} is changed.`, target: id })}
    >
      <Fields team={team} />
    </ActDialog>
  )
}

/** Deletes a team that no key names. */
export function RemoveTeam({ team, ...rest }: TeamActProps) {
  const { id } = team
  return (
    <ActDialog
      {...rest}
      of={team}
      title={`Delete ${id}`}
      verb="Delete"
      isDangerous
      reason="required"
      confirmName={id}
      effect="Its limits in the store go with it. It cannot be deleted while keys name it."
      run={(_, reason = '', expected) => act(DeleteTeam, { input: { id, reason, ...expected } })}
      done={() => ({ text: `${id} is deleted.`, target: id })}
    />
  )
}

function Fields({ team }: { readonly team?: OneTeam }) {
  return (
    <>
      <Field label="Name" name="name" defaultValue={team?.name ?? ''} placeholder="as its id" />
      <Field
        label="Models"
        name="models"
        isMono
        placeholder="all"
        defaultValue={team?.models?.join(' ')}
        hint="Names and patterns that its keys may use, separated by spaces. Empty: all."
      />
    </>
  )
}

function readFields(form: FormData) {
  const models = wordsIn(textOf(form, 'models'))
  return { name: textOf(form, 'name') || null, models: models.length > 0 ? models : null }
}
