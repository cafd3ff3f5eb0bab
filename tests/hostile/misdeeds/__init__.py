"""What hostile specialists do: functions of the action, whose answer is the specialist's.

Each file becomes one specialist of a third party's, which does what the action's argument `misdeeds` names.
"""
