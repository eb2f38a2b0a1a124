/**
 * The margin models by name. A name without a model does not compile.
 */
import type { MarginModel } from '../../../model/index.ts'
import type { AccountRow } from '../../state/index.ts'
import { crossPortfolio, crossStandard } from './cross.ts'
import type { MarginModelRules } from './margin-model.ts'
import { segregatedPortfolio, segregatedStandard } from './segregated.ts'

const marginModelRules: { readonly [M in MarginModel]: MarginModelRules } = {
  segregated_sm: segregatedStandard,
  cross_sm: crossStandard,
  segregated_pm: segregatedPortfolio,
  cross_pm: crossPortfolio,
}

/** The margin model of an account. */
export function modelOf(owner: Pick<AccountRow, 'account'>): MarginModelRules {
  return marginModelRules[owner.account.marginModel]
}
