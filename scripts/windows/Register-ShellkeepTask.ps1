<#
.SYNOPSIS
Starts shellkeep serve inside WSL when you log on to Windows, without a window, and again if it ends.
.DESCRIPTION
Registers a scheduled task of your own account; no administrator is needed. Running it again replaces the task.
See README.md in this folder: a client that starts "shellkeep connect" needs none of this.
.EXAMPLE
powershell -ExecutionPolicy Bypass -File Register-ShellkeepTask.ps1 -Distribution Ubuntu -WhatIf
#>
[CmdletBinding(SupportsShouldProcess)]
param(
    # The WSL system in which shellkeep is installed, as "wsl --list" names it.
    [Parameter(Mandatory)] [ValidatePattern('^[\w.-]+$')] [string] $Distribution,
    # The name of the task.
    [string] $TaskName = 'shellkeep',
    # What runs inside WSL, in a login shell of bash.
    [ValidatePattern('^[^"]+$')] [string] $Command = 'shellkeep serve',
    # How long after the logon.
    [ValidateRange(0, 3600)] [int] $DelaySeconds = 10
)
$ErrorActionPreference = 'Stop'

# conhost --headless: a task that runs wsl.exe itself opens a window, and closing that ends the server.
$action = New-ScheduledTaskAction -Execute 'conhost.exe' -Argument "--headless wsl.exe -d $Distribution --exec bash -lc `"exec $Command`""
$user = [Security.Principal.WindowsIdentity]::GetCurrent().Name
$trigger = New-ScheduledTaskTrigger -AtLogOn -User $user
$trigger.Delay = "PT$($DelaySeconds)S"
# Every five minutes it is started if it does not run, whatever it ended with.
$trigger.Repetition = (New-ScheduledTaskTrigger -Once -At (Get-Date) -RepetitionInterval (New-TimeSpan -Minutes 5)).Repetition
$principal = New-ScheduledTaskPrincipal -UserId $user -LogonType Interactive -RunLevel Limited
$settings = New-ScheduledTaskSettingsSet -MultipleInstances IgnoreNew -RestartCount 3 -RestartInterval (New-TimeSpan -Minutes 1) `
    -ExecutionTimeLimit ([TimeSpan]::Zero) -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries -StartWhenAvailable -Hidden

if ($PSCmdlet.ShouldProcess("task '$TaskName'", "register: $Command in $Distribution at logon")) {
    Register-ScheduledTask -TaskName $TaskName -Action $action -Trigger $trigger -Principal $principal -Settings $settings -Force | Out-Null
    Start-ScheduledTask -TaskName $TaskName
    Get-ScheduledTask -TaskName $TaskName
}
