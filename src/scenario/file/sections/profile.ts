/**
 * Profiles of accounts: what their owners chose, which queries tell.
 */
import { z } from '../../../core/index.ts'
import { currencies } from '../../../model/index.ts'

const flag = z.boolean().optional()

/** The profile of an account. */
export const accountProfile = z
  .strictObject({
    email: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .meta({ description: 'Else its name at example.com.', examples: ['desk@example.org'] }),
    login_enabled: flag.meta({ description: 'Whether its owner may log in; else not.' }),
    is_password: flag.meta({ description: 'Whether it has a password; else not.' }),
    receive_notifications: flag.meta({ description: 'Whether it is written to; else not.' }),
    security_keys_enabled: flag.meta({ description: 'Whether it has security keys; else not.' }),
    security_keys_assignments: z
      .array(z.string().min(1).max(32))
      .optional()
      .meta({ description: 'What these are asked for; else nothing.', examples: [['login']] }),
    portfolio: z
      .array(z.enum(currencies))
      .optional()
      .meta({
        description:
          'Currencies whose portfolios are told though there is nothing in them; else BTC and ETH.',
        examples: [['SOL']],
      }),
  })
  .optional()
  .meta({
    description: 'What its owner chose, which queries tell.',
    examples: [{ login_enabled: true }],
  })
